// Reads one request a line, as JSON, and answers each with one line: a terminal of
// xterm.js as others see it.
const { Terminal } = require('@xterm/headless');
const { Unicode11Addon } = require('@xterm/addon-unicode11');

let terminal;
const answer = (o) => process.stdout.write(JSON.stringify(o) + '\n');
const color = (rgb, palette, value) => (rgb ? (2 << 24) | value : palette ? (1 << 24) | value : 0);

function picture() {
  const buffer = terminal.buffer.active;
  const cells = [];
  for (let y = 0; y < terminal.rows; y++) {
    const line = buffer.getLine(buffer.baseY + y);
    for (let x = 0; x < terminal.cols; x++) {
      const c = line && line.getCell(x);
      if (!c) {
        cells.push(['', 1, 0, 0, 0]);
        continue;
      }
      const flags = [c.isBold(), c.isDim(), c.isItalic(), c.isUnderline(), c.isBlink(), c.isInverse(), c.isInvisible(), c.isStrikethrough()];
      const attributes = flags.reduce((sum, on, i) => (on ? sum | (1 << i) : sum), 0);
      cells.push([
        c.getChars(), c.getWidth(),
        color(c.isFgRGB(), c.isFgPalette(), c.getFgColor()), color(c.isBgRGB(), c.isBgPalette(), c.getBgColor()), attributes,
      ]);
    }
  }
  const visible = !terminal._core.coreService.isCursorHidden;
  return { column: buffer.cursorX, row: buffer.cursorY, visible, other: buffer.type === 'alternate', cells };
}

require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line);
  switch (request.do) {
    case 'new':
      terminal = new Terminal({ cols: request.cols, rows: request.rows, allowProposedApi: true, scrollback: 1000 });
      terminal.loadAddon(new Unicode11Addon());
      terminal.unicode.activeVersion = '11';
      return answer({});
    case 'resize':
      terminal.resize(request.cols, request.rows);
      return answer({});
    case 'write':
      return terminal.write(Buffer.from(request.bytes, 'base64'), () => answer({}));
    case 'picture':
      return answer(picture());
  }
});
