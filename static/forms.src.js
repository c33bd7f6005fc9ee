// The forms of a publication that other programs read: a document, a workbook, a notebook, a script, and an archive of everything. Each is a
// list of files, {name} with its text, an SVG that becomes a PNG, or the files of an archive inside.
// web/report says what a publication is ("Content"), and all words of it; the drawing programs are charts.py and charts.R.

/** The files of a form, "docx", "xlsx", "zip", or "rows", a workbook of { name, names, kinds, rows }. charts are the texts of the programs that draw the figures again: { python, r }. */
export function made(form, page, charts) {
  return { docx: () => document(page), xlsx: () => workbook(page), zip: () => archive(page, charts), rows: () => rowsBook(page) }[form]();
}

function archive(page, charts) {
  return [
    { name: "README.txt", text: `${page.readme.join("\n")}\n` },
    { name: "publication.html", text: page.html },
    { name: "publication.json", text: page.json },
    { name: "publication.docx", files: document(page) },
    { name: "publication.xlsx", files: workbook(page) },
    { name: "data-dictionary.csv", text: page.dictionaryCSV },
    { name: "charts.ipynb", text: notebook(page, charts.python) },
    { name: "charts.R", text: script(page, charts.r) },
    ...page.figures.flatMap((figure, i) => [
      { name: figure.file, text: figure.csv },
      { name: `ask-again/figure-${i + 1}.json`, text: figure.recipe },
      ...(figure.svg ? [{ name: figure.file.replace(/csv$/, "svg"), text: figure.svg }] : []),
    ]),
    ...(page.plans ?? []).map((text, i) => ({ name: `ask-again/plan-${i + 1}.json`, text })),
  ];
}

// Documents and workbooks are archives of XML parts (ECMA-376): [Content_Types].xml says what each part is, and the .rels parts what it refers to.

const start = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const names = "http:/" + "/schemas.openxmlformats.org/"; // they name spaces; nothing is fetched there
const packages = `${names}package/2006/`;
const documents = `${names}officeDocument/2006/relationships`;
const drawing = `${names}drawingml/2006/`;

/** A text inside of XML; characters that XML 1.0 does not have are replaced. */
const xml = (text) => String(text)
  // eslint-disable-next-line no-control-regex
  .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd")
  .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The parts that every such archive begins with; kinds are [path, kind] of its own, the main one first. page, where there is one, has its title. */
const beginning = (kinds, page) => [
  {
    name: "[Content_Types].xml",
    text: `${start}<Types xmlns="${packages}content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>' +
      kinds.map(([path, kind]) => `<Override PartName="/${path}" ContentType="application/vnd.openxmlformats-officedocument.${kind}+xml"/>`).join("") +
      (page ? '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>' : "") + "</Types>",
  },
  { name: "_rels/.rels", text: relations([["officeDocument", kinds[0][0]], ...(page ? [["core", "docProps/core.xml"]] : [])]) },
  ...(page ? [{
    name: "docProps/core.xml",
    text: `${start}<cp:coreProperties xmlns:cp="${packages}metadata/core-properties" xmlns:dc="http:/` + `/purl.org/dc/elements/1.1/"><dc:title>${xml(page.title)}</dc:title>` +
      `<dc:creator>${xml(page.publisher)}</dc:creator><dc:language>${xml(page.language)}</dc:language></cp:coreProperties>`,
  }] : []),
];

/** What a part refers to, as [kind, target]: the first is rId1. */
const relations = (list) => `${start}<Relationships xmlns="${packages}relationships">` +
  list.map(([kind, target], i) => `<Relationship Id="rId${i + 1}" Type="${kind === "core" ? `${packages}relationships/metadata/core-properties` : `${documents}/${kind}`}" Target="${target}"/>`).join("") + "</Relationships>";

// Workbooks ---------------------------------------------------------------------------------------------------------

const sheetML = `${names}spreadsheetml/2006/main`;
const mostCell = 32_000; // characters of a cell
const mostRows = 1_048_576; // of a sheet

/** A sheet that says what the publication is, one for each figure, and one that says what the columns mean. No cell is a formula. */
const workbook = ({ about, figures, dictionary, words }) => book([
  { name: words.about, rows: about },
  ...figures.map(({ name, rows, numbers }) => ({ name, rows, numbers })),
  { name: words.columns, rows: dictionary, numbers: [] },
]);

/** One sheet of made-up rows below the names of their columns. */
const rowsBook = ({ name, names, kinds, rows }) => book([{ name, rows: [names, ...rows], numbers: kinds.map((kind) => kind !== "text") }]);

function book(list) {
  const sheets = list.map((sheet, i) => ({ ...sheet, path: `worksheets/sheet${i + 1}.xml` }));
  return [
    ...beginning([["xl/workbook.xml", "spreadsheetml.sheet.main"], ["xl/styles.xml", "spreadsheetml.styles"],
      ...sheets.map(({ path }) => [`xl/${path}`, "spreadsheetml.worksheet"])]),
    {
      name: "xl/workbook.xml",
      text: `${start}<workbook xmlns="${sheetML}" xmlns:r="${documents}"><sheets>` +
        sheets.map(({ name }, i) => `<sheet name="${xml(sheetName(name, i + 1))}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join("") + "</sheets></workbook>",
    },
    { name: "xl/_rels/workbook.xml.rels", text: relations([...sheets.map(({ path }) => ["worksheet", path]), ["styles", "styles.xml"]]) },
    {
      name: "xl/styles.xml",
      text: `${start}<styleSheet xmlns="${sheetML}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
        '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill>' +
        '<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
        '<cellXfs count="3"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf></cellXfs>' +
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
    },
    ...sheets.map(({ path, rows, numbers }) => ({ name: `xl/${path}`, text: sheet(rows, numbers) })),
  ];
}

/** A name that a sheet may have: short, without some characters, and of no other sheet. */
export function sheetName(name, number) {
  // eslint-disable-next-line no-control-regex
  const plain = [...name.replace(/[[\]:*?/\\'\u0000-\u001f]/g, " ")];
  return plain.length > 24 ? `${plain.slice(0, 20).join("")} ${number}` : plain.join("");
}

/** A sheet. With numbers, a list that says which columns are some, its first row is a header that stays in place; without, it is of texts. */
function sheet(rows, numbers) {
  const width = (column, size) => `<col min="${column}" max="${column}" width="${size}" customWidth="1"/>`;
  const cell = (text, row, column) => {
    if (row > 0 && numbers?.[column]) return text === "" ? "<c/>" : `<c><v>${text}</v></c>`;
    const letters = [...text];
    const short = letters.length > mostCell ? `${letters.slice(0, mostCell).join("")}…` : text;
    return `<c s="${row === 0 ? 1 : numbers ? 0 : 2}" t="inlineStr"><is><t xml:space="preserve">${xml(short)}</t></is></c>`;
  };
  // texts wrap at the widths below, and no program makes room for them unasked
  const height = (row) => ` ht="${15 * Math.max(1, ...row.map((text, k) => Math.ceil(text.length / [11, 75, 55][Math.min(k, 2)])))}" customHeight="1"`;
  return `${start}<worksheet xmlns="${sheetML}">` +
    (numbers ? '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' : "") +
    `<cols>${numbers ? '<col min="1" max="64" width="18" customWidth="1"/>' : width(1, 12) + width(2, 80) + width(3, 60)}</cols><sheetData>` +
    rows.slice(0, mostRows).map((row, i) => `<row${numbers ? "" : height(row ?? [])}>${(row ?? []).map((text, k) => cell(text, i, k)).join("")}</row>`).join("") +
    "</sheetData></worksheet>";
}

// Documents, whose bytes are those of web/report's where there are no pictures ---------------------------------------

const wordML = `${names}wordprocessingml/2006/main`;
const perPoint = 9525; // English metric units, in which documents measure, to a point of a picture
const ofText = 6_120_000; // to the width of the text on A4

function document(page) {
  const { publisher, kind, title, lead, keys, pieces, figures, method, spent, words, closing, language } = page;
  const refs = [["styles", "styles.xml"]];
  const pictures = [];
  const text = (style, content) => content && `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${xml(content)}</w:t></w:r></w:p>\n`;
  const all = (list) => (list ?? []).map((line) => text("", line)).join("");
  const picture = ({ svg, width, height, statement }, number) => {
    if (!svg || !width || !height) return "";
    const name = `media/figure${number}.png`;
    refs.push(["image", name]);
    pictures.push({ name: `word/${name}`, png: svg });
    const scale = Math.min(perPoint, ofText / width);
    const [wide, high] = [Math.round(width * scale), Math.round(height * scale)];
    return `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="${wide}" cy="${high}"/><wp:docPr id="${number}" name="figure${number}" descr="${xml(statement)}"/>` +
      `<a:graphic><a:graphicData uri="${drawing}picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="${number}" name="figure${number}"/><pic:cNvPicPr/></pic:nvPicPr>` +
      `<pic:blipFill><a:blip r:embed="rId${refs.length}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/>` +
      `<a:ext cx="${wide}" cy="${high}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>\n`;
  };
  let level = "Heading1";
  const figure = (f, number) => text(level, f.sentence) + text("Caption", `${f.name}. ${f.subject}`) + picture(f, number) + text("", f.below) +
    all(f.warnings) + table(f.name, f.header, f.shown, f.shownNumbers) + text("", f.left);
  const heading = (words) => {
    level = "Heading2";
    return text("Heading1", words);
  };
  const body = all([publisher, kind]) + text("Title", title) + text("Subtitle", lead) + all(keys) +
    pieces.map((piece) => (piece.figure ? figure(figures[piece.figure - 1], piece.figure)
      : piece.heading ? heading(piece.heading) : all((piece.text ?? "").split("\n\n")))).join("") +
    text("Heading1", words.method) + text("Heading2", words.promised) + all(method.promised) + text("Heading2", words.reading) + all(method.reading) +
    (spent ? text("Heading2", words.spent) + table(words.spent, spent[0], spent.slice(1), [false, false, true]) : "") +
    text("Heading1", words.making) + figures.map((f) => text("Heading2", `${f.name}: ${f.headline}`) + table(f.name, null, f.facts, [])).join("") +
    text("Heading1", words.source) + all(closing);
  const sheet = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="567" w:footer="567" w:gutter="0"/></w:sectPr>';
  return [
    ...beginning([["word/document.xml", "wordprocessingml.document.main"], ["word/styles.xml", "wordprocessingml.styles"]], page),
    {
      name: "word/document.xml",
      text: `${start}<w:document xmlns:w="${wordML}" xmlns:r="${documents}" xmlns:wp="${drawing}wordprocessingDrawing" xmlns:a="${drawing}main" xmlns:pic="${drawing}picture">` +
        `<w:body>${body}${sheet}</w:body></w:document>`,
    },
    { name: "word/_rels/document.xml.rels", text: relations(refs) },
    { name: "word/styles.xml", text: styles(language) },
    ...pictures,
  ];
}

/** A table of a document; null is no header, and then the first cell of a row names it. name is what is read aloud of it. */
function table(name, header, rows, numbers) {
  if (!rows?.length) return "";
  const row = (cells, heads) => `<w:tr><w:trPr><w:cantSplit/>${heads ? "<w:tblHeader/>" : ""}</w:trPr>` + cells.map((cell, i) =>
    `<w:tc><w:p>${numbers?.[i] ? '<w:pPr><w:jc w:val="right"/></w:pPr>' : ""}<w:r>${heads ? "<w:rPr><w:b/></w:rPr>" : ""}<w:t xml:space="preserve">${xml(cell)}</w:t></w:r></w:p></w:tc>`).join("") + "</w:tr>\n";
  const borders = ["top", "bottom", "insideH"].map((side) => `<w:${side} w:val="single" w:sz="4" w:color="BBBBBB"/>`).join("");
  return `<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="pct"/><w:tblBorders>${borders}</w:tblBorders>` +
    `<w:tblLook w:firstRow="${header ? 1 : 0}" w:firstColumn="${header ? 0 : 1}"/><w:tblCaption w:val="${xml(name)}"/></w:tblPr><w:tblGrid>${"<w:gridCol/>".repeat(rows[0].length)}</w:tblGrid>\n` +
    (header ? row(header, true) : "") + rows.map((cells) => row(cells, false)).join("") + "</w:tbl><w:p/>\n";
}

/** The styles of paragraphs; sizes are in half points. */
function styles(language) {
  const style = ([id, name, size, level, bold]) => `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:pPr><w:keepNext/>` +
    `${level === null ? "" : `<w:spacing w:before="240" w:after="80"/><w:outlineLvl w:val="${level}"/>`}</w:pPr><w:rPr>${bold ? "<w:b/>" : ""}<w:sz w:val="${size}"/></w:rPr></w:style>`;
  return `${start}<w:styles xmlns:w="${wordML}"><w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="20"/><w:lang w:val="${xml(language)}"/></w:rPr></w:rPrDefault>` +
    '<w:pPrDefault><w:pPr><w:spacing w:after="120"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>' +
    [["Title", "Title", 44, null, true], ["Subtitle", "Subtitle", 26, null, false], ["Heading1", "heading 1", 30, 0, true],
      ["Heading2", "heading 2", 23, 1, true], ["Caption", "caption", 18, null, false]].map(style).join("") + "</w:styles>";
}

// Programs that draw the figures again ------------------------------------------------------------------------------

/** A text as a literal of Python and R. Control characters are left out: R has no NUL. */
// eslint-disable-next-line no-control-regex
const literal = (text) => JSON.stringify(text.toWellFormed().replace(/[\u0000-\u001f\u007f]+/g, " ")).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A text in Markdown, in which no sign has a meaning. */
const markdown = (text) => text.replace(/\s+/g, " ").replace(/[\\`*_{}[\]()#+\-.!|<>&~$:/@=]/g, (c) => `&#${c.charCodeAt(0)};`);

const calls = (page, list) => page.figures.map(({ name, title, file, redraw: { kind, labels, value, low, high } }, i) =>
  ({ i, args: [literal(file), literal(`${name}. ${title}`), literal(kind), list((labels ?? []).map(literal).join(", ")), literal(value ?? ""), literal(low ?? ""), literal(high ?? "")].join(", ") }));

function notebook(page, python) {
  const cells = [];
  const add = (kind, source) => cells.push({ cell_type: kind, id: `cell${cells.length + 1}`, metadata: {}, source, ...(kind === "code" && { outputs: [], execution_count: null }) });
  add("markdown", [`# ${markdown(page.title)}`, ...[page.lead, ...page.method.promised, ...page.closing].filter(Boolean).map(markdown)].join("\n\n"));
  add("code", python);
  for (const { i, args } of calls(page, (labels) => `[${labels}]`)) {
    const { sentence, name, subject } = page.figures[i];
    add("markdown", `## ${markdown(sentence)}\n\n${markdown(`${name}. ${subject}`)}`);
    add("code", `figure${i + 1} = draw(${args})`);
  }
  const metadata = { kernelspec: { name: "python3", display_name: "Python 3", language: "python" } };
  return `${JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata, cells }, null, 1)}\n`;
}

const script = (page, r) => `${r}\n${calls(page, (labels) => `c(${labels})`).map(({ args }) => `draw(${args})\n`).join("")}`;
