/** Internal addresses: loopback, private, link-local, carrier, metadata, documentation, multicast, reserved, own. */
const inside = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.255.255',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '192.0.2.1',
  '203.0.113.9',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
];

/** One address in every spelling that parsers have accepted. */
function spellings(address: string): string[] {
  const bytes = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number, length = 1): string => value.toString(16).padStart(length, '0');
  const groups = `${hex(a)}${hex(b, 2)}:${hex(c)}${hex(d, 2)}`;
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${hex(whole)}`,
    `0${whole.toString(8)}`,
    bytes.map((byte) => `0x${hex(byte)}`).join('.'),
    bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `0X${hex(a)}.${b}.0${(c * 256 + d).toString(8)}`,
    address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll('.', '。'),
    address.replace(/^\d/, (digit) => `%3${digit}`),
    `[::ffff:${address}]`,
    `[::ffff:${groups}]`,
    `[0:0:0:0:0:ffff:${address}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${address}]`,
    `[::ffff:0:${address}]`,
    `[2002:${groups}::]`,
  ];
}

const otherHosts = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'loc%61lhost',
  'app.localhost',
  '127.1',
  '127.0.1',
  '0',
  '0x0',
  '00000000000',
  '①②⑦.⓪.⓪.①',
  '127.0.0.1%00.example.com',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  '[::1%25lo]',
  '[fe80::1]',
  '[fe80::1%25eth0]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fd20:ce::254]',
  '[ff02::1]',
  '[100::1]',
  '[2001::1]',
  '[2001:db8::1]',
  '[2001:10::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[4000::1]',
];

/**
 * URLs that must never be connected to, for a canary listening on `port` of every local address: internal hosts in all
 * spellings, and URLs that parsers disagree on. Each is a card's complete address; nothing is appended.
 */
export function hostileUrls(port: number): string[] {
  const hosts = [...inside.flatMap(spellings), ...otherHosts];
  const path = '/card.json';
  return [
    ...hosts.map((host) => `https://${host}:${port}${path}`),
    ...['127.0.0.1', 'localhost', '[::1]'].flatMap((host) => tricks(`${host}:${port}`, path)),
    ...[22, 25, 80, 3306, 5432, 6379, 65_535, 65_536, -1].map((other) => `https://example.com:${other}${path}`),
  ];
}

function tricks(local: string, path: string): string[] {
  return [
    `http://${local}${path}`,
    `https://user:secret@${local}${path}`,
    `https://example.com@${local}${path}`,
    `https://example.com%40${local}${path}`,
    `https://${local}#@example.com${path}`,
    `https://${local}\\@example.com${path}`,
    `https://example.com\\@${local}${path}`,
    `https:\\\\${local}\\card.json`,
    `https:/${local}${path}`,
    `https:${local}${path}`,
    `https:///${local}${path}`,
    `\thttps://${local}${path}`,
    `ht\ntps://${local}${path}`,
    `https://${local.replace('1', '1\t')}${path}`,
    `//${local}${path}`,
    `${local}${path}`,
    `HTTPS://${local}${path}`,
    `ws://${local}${path}`,
    `wss://${local}${path}`,
    `ftp://${local}${path}`,
    `gopher://${local}/_GET${path}`,
    `dict://${local}/info.json`,
    `file://${local}/etc/passwd.json`,
    `jar:https://${local}${path}`,
    `data:application/json,{"url":"https://${local}"}.json`,
    `javascript:fetch("https://${local}${path}")`,
    `blob:https://${local}${path}`,
    `view-source:https://${local}${path}`,
    `unix:/var/run/docker.sock:${path}`,
  ];
}
