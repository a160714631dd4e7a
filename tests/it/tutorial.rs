//! The commands of the guide's first chapter, as people paste them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::files::{docx_of, epub_of};

const PAGE: &str = include_str!("../../docs/guide/first-run.md");

/// A block of commands and what the page says they print.
struct Step {
    commands: String,
    shown: String,
}

/// The steps of the part that needs no download.
fn steps() -> Vec<Step> {
    let begin = PAGE.find("## 1. ").expect("part one");
    let end = PAGE.find("## 2. ").expect("part two");
    let block = |text: &str| text.split("\n```").next().unwrap_or_default().to_string();
    let step = |text: &str| {
        let shown = text.split_once("```text\n").expect("what the commands print").1;
        Step { commands: block(text), shown: block(shown) }
    };
    PAGE[begin..end].split("```sh\n").skip(1).map(step).collect()
}

/// A line without the widths of its columns.
fn plain(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What `commands` print in `directory`, with the program in the path and an empty home.
fn printed(commands: &str, directory: &Path) -> String {
    let program = assert_cmd::cargo::cargo_bin!("topoi").to_path_buf();
    let mut path = vec![program.parent().map(Path::to_path_buf).unwrap_or_default()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let output = Command::new("sh")
        .args(["-e", "-c", &format!("exec 2>&1\n{commands}")])
        .current_dir(directory)
        .env("PATH", std::env::join_paths(path).expect("a path"))
        .env("HOME", directory.join("home"))
        .env_remove("XDG_DATA_HOME")
        .env_remove("TOPOI_STORE")
        .output()
        .expect("sh");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{commands}\n{text}");
    text
}

#[test]
fn every_command_works_in_order_from_an_empty_home_and_prints_what_is_shown() {
    let directory = tempfile::tempdir().expect("tempdir");
    std::fs::create_dir(directory.path().join("home")).expect("home");
    let samples = directory.path().join("sample_corpora");
    std::fs::create_dir(&samples).expect("folder");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_corpora/eight_subjects.jsonl");
    std::fs::copy(file, samples.join("eight_subjects.jsonl")).expect("copy");
    let steps = steps();
    assert!(steps.len() >= 12);
    for Step { commands, shown } in steps {
        let found = printed(&commands, directory.path());
        let found: Vec<String> = found.lines().map(plain).collect();
        // Times, and the last digits of other numbers, are the machine's own.
        let words = |line: &&str| !line.contains(|c: char| c.is_ascii_digit());
        for line in shown.lines().filter(words).map(plain) {
            assert!(found.contains(&line), "{commands}\n{line:?} is not in\n{found:#?}");
        }
        // So are the widths of tables, but not how many lines there are.
        assert_eq!(found.len(), shown.lines().count(), "{commands}\n{found:#?}");
    }
    let compared: PathBuf = directory.path().join("compare.html");
    assert!(compared.is_file() && directory.path().join("data/dt.json.zip").is_file());
}

/// The chapter's first part on other texts: every command succeeds.
fn the_whole_part_on(texts: &str, field: &str, prepare: impl FnOnce(&Path)) {
    let directory = tempfile::tempdir().expect("tempdir");
    std::fs::create_dir(directory.path().join("home")).expect("home");
    prepare(directory.path());
    for Step { commands, .. } in steps() {
        let commands = commands
            .replace("sample_corpora/eight_subjects.jsonl", texts)
            .replace("fields ->> 'subject'", &format!("fields ->> '{field}'"))
            .replace("in check.", "in check. 棋手在比赛中进攻国王");
        printed(&commands, directory.path());
    }
    let sql = format!(
        "topoi sql \"SELECT sum(most) * 1.0 / sum(documents) FROM (SELECT max(n) AS most, sum(n) AS documents FROM \
         (SELECT topic, fields ->> '{field}' AS subject, count(*) AS n FROM document_top_topic \
         JOIN document ON document.id = document_id WHERE run_id = 1 GROUP BY topic, subject) GROUP BY topic)\" --output csv"
    );
    let purity = printed(&sql, directory.path());
    let purity: f64 = purity.lines().last().and_then(|line| line.parse().ok()).expect("a share");
    assert!(purity > 0.6, "topics share {purity} of their documents with one {field}");
    printed("topoi check", directory.path());
}

#[test]
fn it_can_be_done_on_a_folder_of_mixed_formats() {
    the_whole_part_on("texts", "label", |directory| {
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_corpora/eight_subjects.jsonl");
        let lines = std::fs::read_to_string(file).expect("the sample corpus");
        for (at, line) in lines.lines().enumerate() {
            let document: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let of = |name: &str| document[name].as_str().unwrap_or_default();
            let (id, title, text) = (of("id"), of("title"), of("text"));
            let text = text.replace('&', "and").replace('<', "");
            let (ending, content) = match at % 7 {
                0 => ("txt", text.into_bytes()),
                1 => ("md", format!("# {title}\n\n*{text}*\n").into_bytes()),
                2 => ("html", format!("<html><title>{title}</title><style>p {{}}</style><p>{text}</p></html>").into()),
                3 => (
                    "xml",
                    format!(
                        "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\"><teiHeader><fileDesc><titleStmt><title>{title}</title>\
                         </titleStmt></fileDesc></teiHeader><text><body><p>{text}</p></body></text></TEI>"
                    )
                    .into(),
                ),
                4 => ("docx", docx_of(&text)),
                5 => ("epub", epub_of(&text)),
                _ => ("txt", text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            };
            let folder =
                directory.join("texts").join(document["subject"].as_str().unwrap_or("none"));
            std::fs::create_dir_all(&folder).expect("folder");
            std::fs::write(folder.join(format!("{id}.{ending}")), content).expect("file");
        }
    });
}

/// Words of eight subjects, written one after the other as Chinese is.
const SUBJECTS: [&str; 8] = [
    "棋盘 对手 冠军 比赛 棋手 规则 开局 胜利 进攻 防守 国王 时间",
    "厨师 蔬菜 牛肉 面条 米饭 豆腐 洋葱 酱油 餐厅 味道 食物 胡椒",
    "服务器 软件 网络 数据库 内存 硬盘 程序 用户 文件 操作系统 密码 管理员",
    "医生 医院 病人 药物 手术 疾病 健康 血液 治疗 护士 感染 检查",
    "星星 望远镜 行星 太阳 月亮 宇宙 地球 科学家 轨道 光线 银河 观测",
    "音乐 歌曲 钢琴 乐队 演出 旋律 观众 舞台 作曲家 声音 小提琴 唱片",
    "农民 土地 小麦 收获 种子 雨水 果园 肥料 牲畜 拖拉机 季节 玉米",
    "法律 法院 律师 法官 合同 证据 犯罪 警察 判决 权利 被告 责任",
];

#[test]
fn it_can_be_done_in_chinese() {
    the_whole_part_on("zh.jsonl --stop-words zh", "subject", |directory| {
        let mut lines = String::new();
        for at in 0..240usize {
            let words: Vec<&str> = SUBJECTS[at % 8].split(' ').collect();
            // Nine in ten words of the subject, one of another, in an order of the document's own.
            let word = |n: usize| match n % 10 {
                9 => SUBJECTS[(at + n) % 8].split(' ').nth((at / 8 + n) % 12).unwrap_or_default(),
                _ => words[(at / 8 * 5 + n * n + n / 7) % words.len()],
            };
            let text: String =
                (0..40).map(|n| word(n).to_string() + if n % 8 == 7 { "。" } else { "" }).collect();
            let line = serde_json::json!({ "id": format!("d{at}"), "subject": format!("s{}", at % 8), "text": text });
            lines += &format!("{line}\n");
        }
        std::fs::write(directory.join("zh.jsonl"), lines).expect("file");
    });
}
