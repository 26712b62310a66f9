//! Tables built from logs alone, as text, Markdown, LaTeX and CSV.
