package report

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"hush/web/chart/svg"
)

// reportStyle is the whole style of a report. On paper it is always daylight.
func reportStyle() string {
	var light, dark strings.Builder
	for _, t := range svg.Tokens {
		light.WriteString(t.Name + ":" + t.Light + ";")
		dark.WriteString(t.Name + ":" + t.Dark + ";")
	}
	return "\n:root{color-scheme:light;" + light.String() +
		"}\n@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;" +
		dark.String() + "}}\n" + reportRules
}

const reportRules = `*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
main{display:grid;gap:28px;max-width:800px;margin:0 auto;padding:40px 24px}
main>*{min-width:0}
h1,h2,h3,p,dl,dd,figure,ol{margin:0}
article{display:grid;gap:28px}
article>*{min-width:0}
article+article{padding-top:28px;border-top:1px solid var(--line)}
h1,h2,h3,.statement{font-family:Georgia,serif;line-height:1.3}
h1{font-size:30px}
h2{font-size:22px}
h3{font-size:18px}
.verdict{padding:10px 18px;border-inline-start:4px solid var(--accent);background:var(--accent-wash)}
.verdict.rough,.verdict.noise{border-color:var(--warn);background:var(--warn-wash)}
header,section{display:grid;gap:12px}
.statement{font-size:21px;overflow-wrap:anywhere;display:none}
.soft{color:var(--ink-soft)}
.note{padding:14px 18px;border-inline-start:4px solid var(--accent);background:var(--accent-wash)}
.warn{padding:14px 18px;border-inline-start:4px solid var(--warn);background:var(--warn-wash)}
figure{padding:8px;border:1px solid var(--line);background:var(--card)}
figure svg{display:block;width:100%;height:auto;direction:ltr}
@media screen and (max-width:600px){figure{overflow-x:auto}figure svg{width:600px}}
svg text,td,[translate=no]{unicode-bidi:plaintext}
[dir=rtl] :is(td,th,dd){text-align:right}
.scroll{overflow-x:auto;border:1px solid var(--line);background:var(--card)}
table{border-collapse:collapse;width:100%}
th,td{padding:6px 12px;text-align:start;border-top:1px solid var(--line);overflow-wrap:anywhere}
thead th{background:var(--sunk);border-top:0;overflow-wrap:break-word}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:minmax(90px,180px) 1fr;gap:8px 20px}
dt{color:var(--ink-soft)}
dd{overflow-wrap:anywhere}
pre{direction:ltr;margin:0;padding:14px 18px;background:var(--sunk);white-space:pre-wrap;overflow-wrap:anywhere;font:14px/1.5 ui-monospace,monospace}
footer{padding-top:16px;border-top:1px solid var(--line);color:var(--ink-soft);font-size:14px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media screen and (max-width:600px){.statement{display:block}main{padding:24px 16px}dl{grid-template-columns:1fr;gap:2px}dd{margin-bottom:10px}}
@page{size:A4;margin:14mm}
@media print{body{background:none;font-size:9pt;line-height:1.35}main{max-width:none;padding:0;display:block}article{display:block}
article>*,main>footer{margin-top:3.5mm}article+article{break-before:page;border:0;padding:0}header,section{gap:1.5mm;display:block}section>*+*,header>*+*{margin-top:1.5mm}
h1{font-size:16pt}h2{font-size:12pt}h3{font-size:11pt}.note,.verdict,.warn{padding:1.5mm 3mm}th,td{padding:.5mm 2.5mm}dl{gap:.8mm 5mm}pre{padding:1.5mm 3mm;font-size:7pt;line-height:1.3}footer{padding-top:1.5mm;font-size:8pt}
figure{padding:0;border:0}figure svg{max-height:125mm}.scroll{overflow:visible}figure,tr,.note,pre,.verdict,dl>*,p{break-inside:avoid}h1,h2,h3,thead,dt,section>p{break-after:avoid}}
`

// reportPolicy lets a report's own style through, and nothing else.
func reportPolicy(style string) string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
}
