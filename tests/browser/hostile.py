"""Texts that would act if the page took them for anything but text."""

# Where one of these runs, it sets a name on the window or asks the network.
_RUN = "window.ran=1"

STRINGS: dict[str, str] = {
    "tag": f"<b>bold</b> <img src=x onerror={_RUN}> <svg onload={_RUN}>",
    "script": f"<script>{_RUN}</script> and </script><script>{_RUN}</script>",
    "comment": f"<!-- a comment <script>{_RUN}</script> --> <!--<script>",
    "style": "</style><style>body{display:none}</style> <link rel=stylesheet href=//a.test>",
    "title": f"</title></noscript></textarea><iframe srcdoc='<script>{_RUN}</script>'></iframe>",
    "attribute": f"\" onmouseover=\"{_RUN}\" ' onfocus='{_RUN}' autofocus tabindex=0 `x`",
    "address": f"javascript:{_RUN} [a](javascript:{_RUN}) data:text/html,<script>{_RUN}</script>",
    "network": "<img src=http://a.test/a.png> url(http://a.test/b.png) @import 'http://a.test/c'",
    "entity": "&lt;b&gt; &amp;amp; &#x3c;script&#x3e; &nbsp;",
    "template": "{{constructor.constructor('window.ran=1')()}} ${window.ran=1} <%= 7*7 %> {n}",
    "formula": '=HYPERLINK("http://a.test/?"&A1,"see") +1+cmd|\' /C calc\'!A0 @SUM(1) -2+3',
    "ansi": "\x1b[31mred\x1b[0m \x1b]8;;http://a.test/\x07link\x1b]8;;\x07 \x9b2J",
    "bidi": "user \u202ereversed \u2066isolate\u2069 \u202a\u202b\u202d\u202c \u200f\u200e end",
    "lines": "before\u2028line\u2029paragraph\u0085next \u000b\u000c end",
    "unseen": "a\u200bb\u00adc\ufeffd\u2060e \U000e0041\U000e007f \ufff9x\ufffay\ufffb \x01\x7f",
    "nul": "\u2400 symbol for null, \\0 %00 \\u0000 \x00 itself",
    "combining": "\u0301\u0308 alone, Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u0334 heaped",
    "long": "w" * 3000 + " " + "長" * 600,
    "json": '"}]}</script>\\u003cscript\\u003e \\" \\\\ \u007f __proto__ constructor toString',
    "path": "../../etc/passwd C:\\con\\nul file:///etc/passwd %2e%2e%2f",
}

HEBREW = "הבית הלבן נמצא ברחוב 17, ליד Café Tenbin (פתוח)."
ARABIC = "وصل القطار رقم 42 إلى محطة طوكيو في الساعة 10:30 (تقريبًا)."
JAPANESE = "東京駅に着いた列車「のぞみ42号」は、定刻より10分遅れていた。"
CHINESE = "他说：“第42次列车已经到达东京站，晚点10分钟。”"  # noqa: RUF001 - as it is written
