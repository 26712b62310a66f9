//! Studies as data: specification, plan, cells, and the runner that resumes.
