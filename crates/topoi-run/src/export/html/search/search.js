
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const form = document.getElementById('search');
  const input = form.querySelector('input');
  const report = document.getElementById('report');
  const results = document.getElementById('results');
  const MOST = 100;

  // Words of small letters without accents, each after a blank. Words of a query are beginnings of words, but
  // anywhere in scripts that part no words.
  const plain = text => ' ' + text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
  const unparted = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
  const sought = query => plain(query).split(' ').filter(word => word)
    .map(word => unparted.test(word) ? word : ' ' + word);
  const has = (text, words) => words.every(word => text.includes(word));

  // A topic: its section, its row in the table of topics, and its name and words.
  const topics = [...document.querySelectorAll('section.topic')].map(section => ({
    parts: [section, document.querySelector(`tr[data-topic="${section.id}"]`)],
    name: section.querySelector('h3'),
    text: plain([...section.querySelectorAll('.name, .words')].map(part => part.textContent).join(' ')),
  }));
  const show = shown => topics.forEach(topic =>
    topic.parts.forEach(part => { part.hidden = !shown(topic); }));

  // Documents: the first are in the page, the others in scripts that are loaded when they are searched.
  const prepared = rows => rows.map(row => ({ row, text: plain(row.slice(2).join(' ')) }));
  const parts = [Promise.resolve(prepared(data.documents))];
  const waiting = [];
  window.topoiDocuments = (run, number, rows) =>
    waiting[number](run === data.run ? prepared(rows) : null);
  const part = number => parts[number] ??= new Promise(done => {
    const script = document.createElement('script');
    waiting[number] = done;
    script.onerror = () => done(null);
    script.src = `${data.folder}/documents-${number}.js`;
    document.head.append(script);
  });

  const element = (name, text, more) => Object.assign(document.createElement(name), { textContent: text }, more);
  const item = ([topic, share, key, title]) => {
    const line = element('li', '');
    line.append(element('cite', title ?? key), ' ');
    if (title) line.append(element('span', key, { className: 'q' }), ' ');
    const link = element('a', '', { href: `#t${topic}` });
    link.append(...topics[topic].name.cloneNode(true).childNodes);
    line.append(`${share}% `, link);
    return line;
  };

  let searches = 0;
  const search = async () => {
    const mine = ++searches;
    const words = sought(input.value);
    const found = topics.filter(topic => has(topic.text, words));
    show(topic => !found.length || found.includes(topic));
    results.replaceChildren();
    report.textContent = '';
    if (!words.length) return;
    const say = text => { report.textContent = `${found.length} of ${topics.length} topics; ${text}`; };
    let count = 0, searched = 0;
    for (let number = 0; number <= data.parts && count < MOST; number++) {
      if (number) say(`${count} documents among the first ${searched} of ${data.count}, searching …`);
      const documents = await part(number);
      if (mine !== searches) return;
      if (!documents) {
        say(`${count} documents among the first ${searched}; the others are in the folder ` +
          `${decodeURIComponent(data.folder)} of this export, which is not beside the page`);
        return;
      }
      for (const { row, text } of documents) {
        searched++;
        if (!has(text, words)) continue;
        results.append(item(row));
        if (++count === MOST) break;
      }
    }
    say(searched < data.count ? `the first ${count} documents` : `${count} of ${data.count} documents`);
  };

  let timer;
  input.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(search, 150); });
  form.addEventListener('submit', event => { event.preventDefault(); search(); });
  // A link to a topic that the search has hidden leads to it.
  document.addEventListener('click', event => { if (event.target.closest('a[href^="#t"]')) show(() => true); });
  addEventListener('beforeprint', () =>
    document.querySelectorAll('details').forEach(details => { details.open = true; }));
  form.hidden = false;
})();
