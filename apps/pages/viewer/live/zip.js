// A zip file of files that are not compressed (APPNOTE.TXT 6.3.10, PKWARE). All files have the same date, so that equal files
// give equal bytes.

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; ++bit) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

function crc32(bytes) {
  let c = 0xffffffff;
  for (const byte of bytes) c = crcTable[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

// Numbers little-endian: [bytes of the number, number] each.
function littleEndian(...fields) {
  const bytes = new Uint8Array(sum(fields.map(([size]) => size)));
  let at = 0;
  for (const [size, number] of fields) for (let byte = 0; byte < size; ++byte) bytes[at++] = (number >>> (8 * byte)) & 255;
  return bytes;
}

function zipped(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [path, bytes] of files) {
    const name = new TextEncoder().encode(path);
    const about = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 0x21], [4, crc32(bytes)], [4, bytes.length], [4, bytes.length], [2, name.length], [2, 0]];
    const head = littleEndian([4, 0x04034b50], ...about);
    directory.push(littleEndian([4, 0x02014b50], [2, 20], ...about, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), name);
    parts.push(head, name, bytes);
    offset += head.length + name.length + bytes.length;
  }
  const size = sum(directory.map((part) => part.length));
  const end = littleEndian([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, offset], [2, 0]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}
