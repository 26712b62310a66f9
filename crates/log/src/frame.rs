//! A log as a table of columns. A column is decoded when it is first asked for, and only then.
//!
//! What cannot be read is remembered, not guessed: the accessor gives an empty column of the right length, and
//! [`Frame::fault`] says what was wrong. So a reader asks for all it needs, each column once and before it goes through the
//! rows, and looks for a fault at the end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};

use crate::claim::{check_pages, check_rows};
use crate::column::{Field, LogColumn, Presence, columns};
use crate::headers::check_metadata;
use crate::values::Values;
use crate::{CellKey, Decision, Error, Lists, WordLists, Words, encode};

/// The columns of one log.
pub struct Frame {
    path: PathBuf,
    rows: usize,
    bytes: Bytes,
    file: SerializedFileReader<Bytes>,
    /// One place per declared column, in order.
    read: Vec<OnceLock<Result<Values, String>>>,
    blank: Blank,
    fault: OnceLock<String>,
}

/// Columns without an entry, for what cannot be read.
#[derive(Default)]
struct Blank {
    ints: OnceLock<Vec<Option<i64>>>,
    reals: OnceLock<Vec<Option<f64>>>,
    words: OnceLock<Words>,
    int_lists: OnceLock<Lists<i64>>,
    real_lists: OnceLock<Lists<f64>>,
    word_lists: OnceLock<WordLists>,
}

impl std::fmt::Debug for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Frame").field("path", &self.path).field("rows", &self.rows).finish_non_exhaustive()
    }
}

/// The columns of one type: `name` gives one, and a blank in its place where it cannot be read.
macro_rules! typed {
    ($(#[$about:meta])+ $name:ident, $values:ident, $type:ty, $blank:expr) => {
        $(#[$about])+
        pub fn $name(&self, column: &'static str) -> &$type {
            match self.get(column) {
                Some(Values::$values(values)) => values,
                other => self.otherwise(column, other, self.blank.$name.get_or_init(|| ($blank)(self.rows))),
            }
        }
    };
}

impl Frame {
    /// The columns of these decisions, as they would be read from a log.
    pub fn of(decisions: &[Decision], key: &CellKey) -> Self {
        let bytes = encode(key, decisions).expect("every decision can be written");
        Self::open(bytes, Path::new("a log in memory")).expect("what was written can be read")
    }

    /// The columns in the bytes of a log. The path is for messages.
    pub(crate) fn open(bytes: Vec<u8>, path: &Path) -> Result<Self, String> {
        let bytes = Bytes::from(bytes);
        check_metadata(&bytes).map_err(|error| error.to_string())?;
        // The Parquet reader may panic on bytes that no writer makes; to us they are only a log that cannot be read.
        let opened = catch_unwind(|| SerializedFileReader::new(bytes.clone()));
        let file = opened.map_err(|_| NOT_PARQUET.to_owned())?.map_err(|error| error.to_string())?;
        let groups = file.num_row_groups();
        if groups != 1 {
            return Err(format!("it has {groups} row groups where 1 is needed"));
        }
        let rows = usize::try_from(file.metadata().row_group(0).num_rows()).map_err(|_| NOT_PARQUET.to_owned())?;
        check_rows(rows, bytes.len())?;
        let read = columns().map(|_| OnceLock::new()).collect();
        Ok(Self { path: path.into(), rows, bytes, file, read, blank: Blank::default(), fault: OnceLock::new() })
    }

    /// How many decisions there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Whether the log has a column: those that no decision uses are left out.
    pub fn has(&self, column: &LogColumn) -> bool {
        self.place(column).is_some()
    }

    fn place(&self, column: &LogColumn) -> Option<usize> {
        let chunks = self.file.metadata().row_group(0).columns();
        chunks.iter().position(|chunk| chunk.column_path().string() == column.name)
    }

    typed!(
        /// A column of integers: counts, actions, flags.
        ints, Ints, [Option<i64>], |rows| vec![None; rows]
    );
    typed!(
        /// A column of numbers.
        reals, Reals, [Option<f64>], |rows| vec![None; rows]
    );
    typed!(
        /// A column of words or texts.
        words, Words, Words, Words::empty
    );
    typed!(
        /// A column of lists of integers.
        int_lists, IntLists, Lists<i64>, Lists::empty
    );
    typed!(
        /// A column of lists of numbers.
        real_lists, RealLists, Lists<f64>, Lists::empty
    );
    typed!(
        /// A column of lists of words.
        word_lists, WordLists, WordLists, WordLists::empty
    );

    /// The first column that could not be read, if any.
    pub fn fault(&self) -> Option<Error> {
        self.fault.get().map(|reason| Error::Log { path: self.path.clone(), reason: reason.clone() })
    }

    /// The values of a column; nothing, and a fault, if it cannot be read.
    fn get(&self, name: &str) -> Option<&Values> {
        let Some((place, column)) = columns().enumerate().find(|(_, column)| column.name == name) else {
            debug_assert!(false, "no column is declared as {name}");
            self.blame(|| format!("no column is declared as {name}"));
            return None;
        };
        self.values(place, column).inspect_err(|reason| self.blame(|| (*reason).clone())).ok()
    }

    /// The blank column in place of one that is not there or, which is a bug of the caller, has another type.
    fn otherwise<'a, T: ?Sized>(&self, name: &str, found: Option<&Values>, blank: &'a T) -> &'a T {
        debug_assert!(found.is_none(), "column {name} is asked for as another type than it is declared with");
        if found.is_some() {
            self.blame(|| format!("column {name} is asked for as another type than it is declared with"));
        }
        blank
    }

    fn blame(&self, reason: impl FnOnce() -> String) {
        self.fault.get_or_init(reason);
    }

    /// The values of the column at this place of the declarations, decoded now or before.
    pub(crate) fn values(&self, place: usize, column: &LogColumn) -> Result<&Values, &String> {
        self.read[place].get_or_init(|| self.decode(column)).as_ref()
    }

    fn decode(&self, column: &LogColumn) -> Result<Values, String> {
        let name = column.name;
        let group = self.file.metadata().row_group(0);
        let Some(place) = self.place(column) else {
            let blank = (column.presence == Presence::WhereUsed).then(|| Values::blank(&column.field, self.rows));
            return blank.ok_or_else(|| format!("column {name} is missing"));
        };
        let is_list = group.column(place).column_descr().max_rep_level() > 0;
        let read = AssertUnwindSafe(|| {
            let group = self.file.get_row_group(0)?;
            check_pages(&self.bytes, &*group, place)?;
            Values::read(group.get_column_reader(place)?, self.rows, is_list)
        });
        let values = catch_unwind(read).map_err(|_| format!("column {name}: {NOT_PARQUET}"))?;
        let values = values.map_err(|error| format!("column {name} cannot be read: {error}"))?;
        let fits = matches!(
            (&column.field, &values),
            (Field::Int { .. }, Values::Ints(_))
                | (Field::Real { .. }, Values::Reals(_))
                | (Field::Word { .. } | Field::Text { .. }, Values::Words(_))
                | (Field::Ints { .. }, Values::IntLists(_))
                | (Field::Reals { .. }, Values::RealLists(_))
                | (Field::Words { .. }, Values::WordLists(_))
        );
        if fits { Ok(values) } else { Err(format!("column {name} has an unexpected type")) }
    }
}

const NOT_PARQUET: &str = "its bytes are not Parquet";
