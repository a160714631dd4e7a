//! The thread that saves what people judge, one answer after the other: what is taken back was saved before.
//! Leaving the workbench waits for it, so that no answer is lost.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use crate::tui::effect::Order;
use crate::tui::message::{Message, News};
use topoi_store::{Access, Store, StoreError};

/// The way to the thread.
#[derive(Debug)]
pub struct Clerk {
    /// `None` once it is to end.
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
}

impl Clerk {
    /// Starts the thread for the store at `path`. It ends when the clerk is dropped.
    ///
    /// # Errors
    /// When no thread can be made.
    pub fn start(path: &Path, messages: Sender<Message>) -> std::io::Result<Self> {
        let (orders, given) = channel();
        let path = path.to_path_buf();
        let work = move || obey(&path, &given, &messages);
        let thread = std::thread::Builder::new().name("clerk".into()).spawn(work)?;
        Ok(Self { orders: Some(orders), thread: Some(thread) })
    }

    /// Has it done; what came of it comes as news.
    pub fn order(&self, order: Order) {
        if let Some(orders) = &self.orders {
            // The thread ends only after this end of the channel.
            let _ = orders.send(order);
        }
    }
}

impl Drop for Clerk {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn obey(path: &Path, orders: &Receiver<Order>, messages: &Sender<Message>) {
    let mut store = None;
    for order in orders {
        let outcome = obeyed(&mut store, path, &order).map_err(|error| {
            // A file that was replaced is opened anew for the next.
            store = None;
            error.to_string()
        });
        // Nobody listens when the workbench has been left; what is still to be saved is saved.
        let _ = messages.send(Message::News(News::Judged { order, outcome }));
    }
}

/// Whether it has changed anything.
fn obeyed(store: &mut Option<Store>, path: &Path, order: &Order) -> Result<bool, StoreError> {
    let store = match store {
        Some(store) => store,
        None => store.insert(Store::open(path, Access::Write)?),
    };
    match order {
        Order::Save { run, judgement } => {
            store.save_judgements(*run, std::slice::from_ref(judgement)).map(|()| true)
        }
        Order::TakeBack { run, judge, task } => store.take_back_judgement(*run, judge, task.name()),
    }
}
