//! The tables: made once, whoever starts first; refused where they are another's.

use counsel_serve::{Error, SharedJournal};

use crate::cluster::Cluster;
use crate::servers::{journal, server};

fn refused(url: &str) -> String {
    match journal(url).read(1) {
        Err(error @ Error::Unfit { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn servers_that_start_at_once_make_the_tables_once() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for number in 0..6 {
            let (url, dir) = (cluster.url(), folder.path().join(number.to_string()));
            scope.spawn(move || drop(server(&url, &dir).unwrap()));
        }
    });
    assert_eq!(
        cluster.sql("SELECT count(*), min(text) LIKE '{\"journal\":\"counsel serve\"%' FROM counsel_journal"),
        Ok("1|t".into())
    );
    assert_eq!(cluster.sql("SELECT version FROM counsel_layout"), Ok("1".into()));
}

#[test]
fn tables_of_another_are_refused() {
    let Some(cluster) = Cluster::start() else { return };
    let url = cluster.url();
    let sql = |query: &str| cluster.sql(query).unwrap();
    sql("CREATE TABLE counsel_journal (id serial, note text)");
    assert!(refused(&url).contains("not those of counsel serve"), "{}", refused(&url));
    sql("DROP TABLE counsel_journal");
    journal(&url).read(1).unwrap();
    sql("UPDATE counsel_layout SET version = 2");
    assert!(refused(&url).contains("layout 2"), "{}", refused(&url));
    sql("DELETE FROM counsel_layout");
    assert!(refused(&url).contains("empty"), "{}", refused(&url));
    // A journal of another version of counsel.
    sql("INSERT INTO counsel_layout VALUES (1)");
    let folder = tempfile::tempdir().unwrap();
    drop(server(&url, folder.path()).unwrap());
    sql("UPDATE counsel_journal SET text = replace(text, 'serve', 'swerve')");
    let Err(error) = server(&url, folder.path()) else { panic!("it was changed") };
    assert!(error.to_string().starts_with("line 1 of the journal"), "{error}");
}

#[test]
fn groups_share_a_database_by_schemas_and_roles_need_few_rights() {
    let Some(cluster) = Cluster::start() else { return };
    let sql = |query: &str| cluster.sql(query).unwrap();
    sql("CREATE ROLE gate LOGIN; CREATE SCHEMA mine AUTHORIZATION gate");
    let bare = cluster.socket().replace("postgres@", "gate@");
    assert!(refused(&bare).contains("grant CREATE"), "{}", refused(&bare));
    let folder = tempfile::tempdir().unwrap();
    for (number, url) in [format!("{bare}&options=-csearch_path%3Dmine"), cluster.socket()].iter().enumerate() {
        let service = server(url, &folder.path().join(number.to_string())).unwrap();
        let name = format!("p{number}");
        service.declare("budgets", &name, b"{\"calls\": 1}").unwrap();
    }
    assert_eq!(sql("SELECT count(*) FROM mine.counsel_journal WHERE text LIKE '%\"p0\"%'"), "1");
    assert_eq!(sql("SELECT count(*) FROM public.counsel_journal WHERE text LIKE '%\"p0\"%'"), "0");
}

#[test]
fn another_encoding_is_refused() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.sql("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0").unwrap();
    let url = format!("{}/latin", cluster.url().trim_end_matches("/postgres"));
    assert!(refused(&url).contains("UTF8"), "{}", refused(&url));
}
