//! How tables are shown: in which format, which of their columns, and how wide.
//!
//! Only text has a width: there, columns that find no room are left out and counted in a line below. The other formats hold
//! every column, unless some are chosen by name.

use std::borrow::Cow;

use counsel_decision::refusal::UnknownName;

use crate::paired::in_order;
use crate::{Error, Format, Table, Traces, delimited, json, latex, markdown, text};

/// Where nothing is known of the reader's page.
const PAGE: usize = 100;

/// Which columns are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Columns {
    /// In text as many as fit, by [`Rank`](crate::Rank); all of them elsewhere.
    Fitting,
    /// All of them, on lines as long as they need.
    All,
    /// These and no other, in this order. A name may be a list with commas.
    Named(Vec<String>),
}

/// How tables are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// In which format.
    pub format: Format,
    /// Whether rows name the runs behind them.
    pub traces: Traces,
    /// Which columns.
    pub columns: Columns,
    /// How many characters a line of text has.
    pub width: usize,
}

impl View {
    /// Everything, with prose on lines of 100 characters.
    pub fn whole(format: Format) -> Self {
        Self { format, traces: Traces::Hidden, columns: Columns::All, width: PAGE }
    }

    /// Writes tables one after another, parted by an empty line; as JSON they are one document.
    ///
    /// Several tables in one CSV text start each with a header of its own and a first column `table` that holds the id.
    pub fn render(&self, tables: &[Table]) -> Result<String, Error> {
        Ok(self.write(&self.narrowed(tables)?))
    }

    /// The tables with the columns that were chosen by name, if any were.
    pub(crate) fn narrowed<'a>(&self, tables: &'a [Table]) -> Result<Cow<'a, [Table]>, Error> {
        Ok(match &self.columns {
            Columns::Fitting | Columns::All => Cow::Borrowed(tables),
            Columns::Named(names) => Cow::Owned(chosen(tables, &names.join(","))?),
        })
    }

    /// Writes these tables as they are.
    pub(crate) fn write(&self, tables: &[Table]) -> String {
        let one_by_one = |block: &dyn Fn(&Table) -> String| tables.iter().map(block).collect::<Vec<_>>().join("\n");
        match self.format {
            Format::Text => one_by_one(&|table| text::block(table, self)),
            Format::Markdown => one_by_one(&|table| markdown::block(table, self.traces)),
            Format::Latex => one_by_one(&|table| latex::block(table, self.traces)),
            Format::Csv => {
                let origin = if tables.len() > 1 { delimited::Origin::Named } else { delimited::Origin::Implied };
                one_by_one(&|table| delimited::block(table, Traces::Shown, origin))
            }
            Format::Json => json::document(tables),
        }
    }
}

/// The tables with these columns only. A name must be known to one of the tables, and every table must know one of the names.
fn chosen(tables: &[Table], names: &str) -> Result<Vec<Table>, Error> {
    let known = in_order(tables.iter().flat_map(Table::columns).map(|column| column.name.as_str()));
    let names = split(names, &known)?;
    let narrow = |table: &Table| {
        let place = |name: &&str| table.columns().iter().position(|column| column.name == **name);
        let places: Vec<usize> = names.iter().filter_map(place).collect();
        if places.is_empty() && !names.is_empty() {
            return Err(Error::NoChosenColumn {
                table: table.id.clone(),
                columns: names.iter().map(ToString::to_string).collect(),
                known: table.columns().iter().map(|column| column.name.clone()).collect(),
            });
        }
        Ok(table.with_columns(&places))
    };
    tables.iter().map(narrow).collect()
}

/// The names of a list with commas. A name may itself hold commas, so the longest known one wins.
fn split<'a>(list: &str, known: &[&'a str]) -> Result<Vec<&'a str>, Error> {
    let parts: Vec<&str> = list.split(',').map(str::trim).collect();
    let (mut names, mut from) = (Vec::new(), 0);
    while from < parts.len() {
        let mut starting = (from + 1..=parts.len()).rev().map(|to| (parts[from..to].join(", "), to));
        let found = starting.find_map(|(name, to)| Some((*known.iter().find(|known| **known == name)?, to)));
        let Some((name, to)) = found else {
            return Err(Error::UnknownColumn(UnknownName::among(parts[from], known.iter().copied())));
        };
        names.push(name);
        from = to;
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_are_found_in_a_list() {
        let known = ["arm", "executed, on", "executed", "on"];
        assert_eq!(split("arm,executed, on", &known).unwrap(), ["arm", "executed, on"]);
        assert_eq!(split("executed,arm, on", &known).unwrap(), ["executed", "arm", "on"]);
        let refusal = split("arm,retrun", &["arm", "return"]).unwrap_err().to_string();
        assert_eq!(refusal, "there is no column `retrun` (did you mean `return`?); the columns are `arm`, `return`");
    }
}
