//! What pages have in common.

/// The style of the page: no fonts, scripts or pictures from elsewhere.
const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;color:#222;max-width:70rem;\
    margin:2rem auto;padding:0 1rem}h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}\
    table{border-collapse:collapse;width:100%}th{text-align:left;font-weight:600;\
    border-bottom:2px solid #444}td,th{padding:.2rem .6rem .2rem 0;vertical-align:top}\
    td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}tr+tr td{border-top:1px solid #ddd}\
    .bar{background:#4477aa;height:.55rem;display:inline-block}.q{color:#666}\
    code{overflow-wrap:anywhere}svg{max-width:100%;height:auto}figure{margin:1rem 0;max-width:36rem}table+table{margin-top:1rem}figcaption{color:#555}\
    .new{font-weight:600;text-decoration:underline dotted}.scroll{overflow-x:auto}\
    td.best{font-weight:600}.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(24rem,1fr));gap:1.5rem}";

/// A whole page.
pub(super) fn page(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n{body}</body></html>\n"
    )
}

/// A text as HTML shows it.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if c.is_control() => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

/// A number as people read it.
pub(super) fn figure(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if value == 0.0 => "0".into(),
        _ if !(1e-3..1e6).contains(&size) => format!("{value:.2e}"),
        _ if size >= 1000.0 => format!("{value:.0}"),
        _ if size >= 10.0 => format!("{value:.1}"),
        _ if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}
