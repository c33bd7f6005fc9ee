package report

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"hush/web/chart/svg"
)

// reportStyle is the complete style of a report. On paper it always uses the light theme.
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
body{margin:0;background:var(--card);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
.top,main{max-width:1180px;margin:0 auto;padding:14px 24px}
.top{font-weight:600;border-bottom:1px solid var(--line)}
main{display:grid;gap:44px;padding-block:40px}
main>*{min-width:0}
h1,h2,h3,p,dl,dd,figure,ul{margin:0}
h1,h2,h3,.lead,.promise,.keys dd{font-family:Georgia,serif;line-height:1.25;text-wrap:pretty}
h1{font-size:clamp(28px,20px + 2vw,44px);line-height:1.12}
h2{font-size:26px}
.head{display:grid;gap:14px;max-width:960px}
.lead{font-size:21px;line-height:1.4;color:var(--ink-soft)}
.soft,.sub,figcaption{color:var(--ink-soft)}
.keys{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,150px),1fr));gap:20px 28px;padding-block:20px;border-block:1px solid var(--line)}
.keys div{display:flex;flex-direction:column-reverse;justify-content:flex-end}
.keys dd{font-size:38px;font-weight:600;color:var(--accent);overflow-wrap:normal}
.keys dt{font-size:14px;color:var(--ink-soft)}
.part{display:grid;grid-template-columns:minmax(0,1fr);gap:36px 44px;align-items:start}
.part:empty{display:none}
.part>h2{margin-bottom:-22px}
.own{max-width:68ch;font-size:18px;color:var(--ink-soft)}
.own{margin-bottom:-18px}.own+.own{margin-top:-6px}
@media screen and (min-width:900px){.part{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}.part>:not(.column){grid-column:1/-1}}
figure{display:grid;grid-template-columns:minmax(0,1fr);gap:6px}
figure>:is(h2,h3){font-size:21px;max-width:38em}
.sub,figcaption,details{font-size:14px}
.picture svg{display:block;width:100%;height:auto;direction:ltr}
.picture{max-width:1000px}.small{max-width:720px}
.narrow{display:none}
@media screen and (max-width:600px){.wide{display:none}.narrow{display:block}}
svg text,td,[translate=no]{unicode-bidi:plaintext}
[dir=rtl] :is(td,th,dd){text-align:right}
.verdict,.warn{padding:8px 14px;border-inline-start:4px solid var(--warn);background:var(--warn-wash);max-width:68ch}
summary{width:fit-content;padding:2px 0;color:var(--accent);cursor:pointer;text-decoration:underline}
details[open]>summary{margin-bottom:6px}
.scroll{overflow-x:auto;border:1px solid var(--line)}
table{border-collapse:collapse;width:100%;font-size:14px;overflow-wrap:break-word}
th,td{padding:5px 12px;text-align:start;vertical-align:top;border-top:1px solid var(--line)}
thead th{background:var(--sunk);border-top:0;overflow-wrap:break-word}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:normal}
.method{display:grid;gap:18px;padding:28px;border-radius:10px;background:var(--sunk)}
.columns{display:grid;gap:24px 40px;grid-template-columns:repeat(auto-fit,minmax(min(100%,290px),1fr))}
.columns>div{display:grid;gap:10px;align-content:start}
.method h3{font:600 15px/1.4 system-ui,sans-serif}
.method .soft,.method li{font-size:14px}
.method ul{display:grid;gap:8px;padding-inline-start:18px}
.method td,.method th{padding:3px 12px 3px 0;background:none}
.method td.number,.method th.number{padding-inline-end:0}
tfoot td{border-top:1px solid var(--ink-soft);font-weight:600}
.promise{font-size:20px;line-height:1.35}
.method dl{display:grid;grid-template-columns:minmax(90px,180px) 1fr;gap:6px 20px}
.method details>h3{margin:18px 0 8px}
.method dt{color:var(--ink-soft)}
footer{display:grid;gap:20px 44px;grid-template-columns:repeat(auto-fit,minmax(min(100%,290px),1fr));font-size:14px}
footer>div{display:grid;gap:8px;align-content:start}
footer h2{font:600 15px/1.4 system-ui,sans-serif}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media screen and (max-width:600px){.top,main{padding-inline:16px}main{gap:32px;padding-block:24px}.method{padding:18px 16px;margin-inline:-8px}.method dl{grid-template-columns:1fr;gap:2px}.method dd{margin-bottom:8px}.keys{grid-template-columns:1fr 1fr}.keys dd{font-size:30px}.lead{font-size:18px}}
@page{size:A4;margin:14mm}
@media print{:root{--card:#fff;--paper:#fff}body{background:none;font-size:9pt;line-height:1.35}.top,main{max-width:none;padding:0}.top{padding-bottom:1.5mm;margin-bottom:4mm}main{display:block}main>*+*{margin-top:6mm}
h1{font-size:20pt}h2{font-size:14pt}figure>:is(h2,h3){font-size:11pt}.lead{font-size:12pt}.head{gap:2mm}.keys{grid-template-columns:repeat(4,1fr);gap:5mm;padding-block:3mm}.keys dd{font-size:18pt}
.part{grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:5mm 7mm}.part>:not(.column){grid-column:1/-1}.part>h2,.own{margin-bottom:-3mm}.own,.sub,figcaption,details,table,.method .soft,.method li,footer,.keys dt{font-size:8.5pt}
.column .wide{display:none}.column .narrow{display:block}.across svg{max-height:110mm}.column svg{width:auto;max-width:100%;max-height:64mm}
.picture.small{max-width:150mm}th,td{padding:.4mm 2.5mm}.method{padding:4mm;gap:3mm;border:1px solid var(--line);background:none}.columns{grid-template-columns:1fr 1fr 1.2fr;gap:5mm}.promise{font-size:10.5pt}.method h3,footer h2{font-size:9.5pt}.method dl{gap:.6mm 5mm}.scroll{overflow:visible}summary{display:none}
footer{grid-template-columns:1fr 1fr;gap:6mm}figure:not(.alone),.picture,tr,.verdict,.warn,.keys,.columns>div,dl>*,p,li,footer>div{break-inside:avoid}h1,h2,h3,thead,dt,.sub,.own{break-after:avoid}}
`

// reportPolicy allows a report's own style, and nothing else.
func reportPolicy(style string) string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
}
