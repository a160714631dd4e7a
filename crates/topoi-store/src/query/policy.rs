//! Authorisation of a user's statement before it is executed.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

use crate::Store;
use crate::error::Result;
use crate::search::index_number;

/// Removes the authorizer.
pub(super) const NO_AUTHORIZER: Option<fn(AuthContext<'_>) -> Authorization> = None;

const NO_SETTINGS: &str = "this statement is not allowed; query tables of this store, without ATTACH, transactions or \
                           settings";

/// The tables and views whose rows a statement may change, but not their definitions: with another schema the
/// store could not be opened.
pub(super) struct StatementPolicy {
    /// topoi's tables and views, in lower case; empty if nothing can be written.
    own: BTreeSet<String>,
}

impl StatementPolicy {
    pub(super) fn new(store: &Store) -> Result<Self> {
        let reads_only: bool = store.scalar("PRAGMA query_only", [])?;
        let own = if reads_only { BTreeSet::new() } else { store.own_names()? };
        Ok(Self { own })
    }

    /// From now on refuses disallowed actions; the returned cell receives the first reason.
    pub(super) fn watch(self, connection: &Connection) -> rusqlite::Result<Arc<OnceLock<String>>> {
        let why = Arc::new(OnceLock::new());
        let refused = Arc::clone(&why);
        connection.authorizer(Some(move |context: AuthContext<'_>| {
            match self.objection(&context.action) {
                None => Authorization::Allow,
                Some(objection) => {
                    // Only the first is kept.
                    let _ = refused.set(objection);
                    Authorization::Deny
                }
            }
        }))?;
        Ok(why)
    }

    fn objection(&self, action: &AuthAction<'_>) -> Option<String> {
        let (made, on) = match *action {
            // An open transaction would block writers or keep old pages.
            AuthAction::Attach { .. }
            | AuthAction::Detach { .. }
            | AuthAction::Transaction { .. }
            | AuthAction::Savepoint { .. } => return Some(NO_SETTINGS.into()),
            AuthAction::Pragma { pragma_name, pragma_value: Some(_) }
                if !pragma_name.ends_with("_info") && !pragma_name.ends_with("_list") =>
            {
                return Some(NO_SETTINGS.into());
            }
            AuthAction::CreateIndex { table_name, .. } => ("with an index on", table_name),
            AuthAction::CreateTrigger { table_name, .. } => ("with a trigger on", table_name),
            AuthAction::DropIndex { table_name, .. } => ("without an index of", table_name),
            AuthAction::DropTable { table_name } | AuthAction::DropVtable { table_name, .. } => {
                ("without", table_name)
            }
            AuthAction::DropView { view_name } => ("without", view_name),
            AuthAction::AlterTable { table_name, .. } => ("with a change of", table_name),
            AuthAction::CreateTable { table_name }
            | AuthAction::CreateVtable { table_name, .. }
            | AuthAction::CreateView { view_name: table_name }
                if index_number(&table_name.to_ascii_lowercase()).is_some() =>
            {
                ("with a table in the place of", table_name)
            }
            _ => return None,
        };
        let is_own = |name: &str| self.own.contains(name) || index_number(name).is_some();
        is_own(&on.to_ascii_lowercase()).then(|| {
            format!(
                "topoi would not open this store any more {made} its {on:?}; change rows of it, or make tables, \
                 views and indexes of your own"
            )
        })
    }
}
