import { describe, expect, test } from 'vitest';
import { matchesRedirectUri, redirectUriProblem } from '@/lib/protocol/oauth/client-metadata';

const registered = 'https://app.example/oauth/callback?from=parley';

/** TOK-6: each URI differs from the registered one for every URL parser. */
const mutations: [what: string, uri: string][] = [
  ['an empty string', ''],
  ['a prefix', 'https://app.example/oauth/callback'],
  ['http', 'http://app.example/oauth/callback?from=parley'],
  ['an upper-case scheme', 'HTTPS://app.example/oauth/callback?from=parley'],
  ['no scheme', '//app.example/oauth/callback?from=parley'],
  ['one slash', 'https:/app.example/oauth/callback?from=parley'],
  ['three slashes', 'https:///app.example/oauth/callback?from=parley'],
  ['backslashes', 'https:\\\\app.example/oauth/callback?from=parley'],
  ['an upper-case host', 'https://APP.example/oauth/callback?from=parley'],
  ['a host with a trailing dot', 'https://app.example./oauth/callback?from=parley'],
  ['a sub-domain', 'https://www.app.example/oauth/callback?from=parley'],
  ['a parent domain', 'https://example/oauth/callback?from=parley'],
  ['a longer host', 'https://app.example.attacker.example/oauth/callback?from=parley'],
  ['a host with the same ending', 'https://evilapp.example/oauth/callback?from=parley'],
  ['a Cyrillic look-alike', 'https://аpp.example/oauth/callback?from=parley'],
  ['its punycode', 'https://xn--pp-6kc.example/oauth/callback?from=parley'],
  ['full-width letters', 'https://ａｐｐ.example/oauth/callback?from=parley'],
  ['an ideographic full stop', 'https://app。example/oauth/callback?from=parley'],
  ['a soft hyphen', 'https://app\u00ad.example/oauth/callback?from=parley'],
  ['a percent-encoded host', 'https://%61pp.example/oauth/callback?from=parley'],
  ['the default port', 'https://app.example:443/oauth/callback?from=parley'],
  ['another port', 'https://app.example:8443/oauth/callback?from=parley'],
  ['an empty port', 'https://app.example:/oauth/callback?from=parley'],
  ['a user name', 'https://app.example@attacker.example/oauth/callback?from=parley'],
  ['a user name before the host', 'https://user@app.example/oauth/callback?from=parley'],
  ['a user name and password', 'https://app.example:443@attacker.example/oauth/callback?from=parley'],
  ['a backslash before the host', 'https://attacker.example\\@app.example/oauth/callback?from=parley'],
  ['an encoded slash before the host', 'https://attacker.example%2f@app.example/oauth/callback?from=parley'],
  ['a fragment', 'https://app.example/oauth/callback?from=parley#code'],
  ['an empty fragment', 'https://app.example/oauth/callback?from=parley#'],
  ['a host before a fragment', 'https://attacker.example#@app.example/oauth/callback?from=parley'],
  ['another path', 'https://app.example/oauth/redirect?from=parley'],
  ['an upper-case path', 'https://app.example/OAuth/callback?from=parley'],
  ['a longer path', 'https://app.example/oauth/callback/next?from=parley'],
  ['a trailing slash', 'https://app.example/oauth/callback/?from=parley'],
  ['a doubled slash', 'https://app.example//oauth/callback?from=parley'],
  ['a dot segment', 'https://app.example/oauth/./callback?from=parley'],
  ['a double-dot segment', 'https://app.example/oauth/x/../callback?from=parley'],
  ['an encoded dot segment', 'https://app.example/oauth/x/%2e%2e/callback?from=parley'],
  ['a half-encoded dot segment', 'https://app.example/oauth/x/.%2E/callback?from=parley'],
  ['a dot segment after a backslash', 'https://app.example/oauth/x\\..\\callback?from=parley'],
  ['an encoded letter', 'https://app.example/oauth/%63allback?from=parley'],
  ['an encoded slash', 'https://app.example/oauth%2Fcallback?from=parley'],
  ['a path parameter', 'https://app.example/oauth/callback;x=1?from=parley'],
  ['another query', 'https://app.example/oauth/callback?from=attacker'],
  ['an extra query', 'https://app.example/oauth/callback?from=parley&next=https://attacker.example'],
  ['an extra question mark', 'https://app.example/oauth/callback??from=parley'],
  ['a repeated parameter', 'https://app.example/oauth/callback?from=parley&from=parley'],
  ['an encoded query', 'https://app.example/oauth/callback?from=%70arley'],
  ['a leading space', ' https://app.example/oauth/callback?from=parley'],
  ['a trailing line break', 'https://app.example/oauth/callback?from=parley\n'],
  ['a tab inside', 'https://app.exa\tmple/oauth/callback?from=parley'],
  ['a NUL', 'https://app.example/oauth/callback?from=parley\0'],
  ['two URIs', 'https://app.example/oauth/callback?from=parley https://attacker.example'],
];

describe('TOK-6: the redirect URI check', () => {
  test.each(mutations)('rejects a URI that differs from the registered one: %s', (_, uri) => {
    expect(matchesRedirectUri(registered, uri)).toBe(false);
  });

  test('accepts the identical text', () => {
    expect(matchesRedirectUri(registered, registered)).toBe(true);
  });
});

describe('RFC 8252 §7.3: the loopback redirect URI check', () => {
  const accepted: [registered: string, requested: string][] = [
    ['http://127.0.0.1/callback', 'http://127.0.0.1:49152/callback'],
    ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:49152/callback'],
    ['http://127.0.0.1:3000/callback', 'http://127.0.0.1/callback'],
    ['http://[::1]:3000/callback?x=1', 'http://[::1]:1/callback?x=1'],
    ['http://localhost/callback', 'http://localhost:65535/callback'],
    ['http://localhost:3000', 'http://localhost:4000'],
  ];
  test.each(accepted)('allows another port: %s also matches %s', (known, requested) => {
    expect(matchesRedirectUri(known, requested)).toBe(true);
  });

  const refused: [registered: string, requested: string][] = [
    ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:3001/other'],
    ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:3001/callback/'],
    ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:3001/callback?x=1'],
    ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:3001/callback#x'],
    ['http://127.0.0.1:3000/callback', 'https://127.0.0.1:3001/callback'],
    ['http://127.0.0.1:3000/callback', 'http://localhost:3000/callback'],
    ['http://127.0.0.1:3000/callback', 'http://[::1]:3000/callback'],
    ['http://127.0.0.1:3000/callback', 'http://127.0.0.2:3000/callback'],
    ['http://127.0.0.1:3000/callback', 'http://127.1:3000/callback'],
    ['http://127.0.0.1:3000/callback', 'http://0x7f000001:3000/callback'],
    ['http://127.0.0.1:3000/callback', 'http://127.0.0.1.attacker.example:3000/callback'],
    ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:3000@attacker.example/callback'],
    ['http://127.0.0.1:3000/callback', 'http://user@127.0.0.1:3000/callback'],
    ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:65536/callback'],
    ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:0/callback'],
    ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:03000/callback'],
    ['http://127.0.0.1:3000/callback', 'http://127.0.0.1:/callback'],
    ['http://localhost/callback', 'http://localhost.:3000/callback'],
    ['http://localhost/callback', 'http://LOCALHOST:3000/callback'],
    ['http://localhost', 'http://localhost:3000/'],
    ['https://localhost/callback', 'https://localhost:3000/callback'],
    ['https://app.example/callback', 'https://app.example:8443/callback'],
    ['com.example.app:/callback', 'com.example.app:/callback/'],
    ['com.example.app:/callback', 'com.example.app:80/callback'],
  ];
  test.each(refused)('allows no other difference: %s does not match %s', (known, requested) => {
    expect(matchesRedirectUri(known, requested)).toBe(false);
  });
});

describe('a client may register', () => {
  test.each([
    'https://app.example/callback',
    'https://app.example',
    'https://app.example:8443/callback?x=1&y=%20',
    'https://xn--pp-6kc.example/callback',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:33418/callback',
    'http://[::1]:8080/callback',
    'http://localhost:6274/oauth/callback/debug',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'com.example.app:/oauth2redirect',
    'com.example.app://callback',
    'COM.Example.App:/callback',
    'io.github.some-user.tool-2:/callback?x=1',
  ])('the redirect URI "%s"', (uri) => {
    expect(redirectUriProblem(uri)).toBeNull();
  });
});

describe('a client may not register', () => {
  test.each([
    '',
    '/callback',
    'callback',
    '//app.example/callback',
    'https:app.example/callback',
    'https:/app.example/callback',
    'https:///app.example/callback',
    'https://',
    'https://?x=1',
    'https://app.example/callback#',
    'https://app.example/callback#x',
    'https://user@app.example/callback',
    'https://user:password@app.example/callback',
    'https://@app.example/callback',
    'https://app.example\\callback',
    'https://app.example/a/../callback',
    'https://app.example/a/%2E./callback',
    'https://app.example/%zz',
    'https://app.example/a callback',
    'https://аpp.example/callback',
    'https://app.example:99999/callback',
    'http://app.example/callback',
    'http://127.1/callback',
    'http://127.0.0.1.attacker.example/callback',
    'http://127.0.0.1@attacker.example/callback',
    'http://localhost.attacker.example/callback',
    'http://0.0.0.0/callback',
    'http://10.0.0.1/callback',
    'localhost:8080/callback',
    'urn:ietf:wg:oauth:2.0:oob',
    'javascript://app.example/%0aalert(1)',
    'JavaScript:/alert(1)',
    'data:/text/html,x',
    'blob:https://app.example/x',
    'file:///etc/passwd',
    'vbscript:/x',
    'about:/blank',
    'ws://app.example/',
    'wss://app.example/',
    'ftp://app.example/',
    'view-source:https://app.example/',
    'intent://app.example/#Intent;end',
    `https://app.example/${'a'.repeat(2_000)}`,
    'app.example:8080/callback',
    'com.example.app:callback',
    'com.example.app:',
    'com.example.app:/a#x',
    'com..example:/callback',
    'com.example.:/callback',
    'c.example:/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback/',
    'cursor://anysphere.cursor-mcp/oauth/callback?x=1',
    'cursor://anysphere.cursor-deeplink/mcp/install?name=x',
    'CURSOR://anysphere.cursor-mcp/oauth/callback',
  ])('the redirect URI "%s"', (uri) => {
    expect(redirectUriProblem(uri)).not.toBeNull();
  });

  // The list contains examples: every scheme without a period is refused.
  const systemSchemes = `admin aim android-app app-settings appstream-windows-explorer bitcoin callto cid cmd
    chrome-extension com devtools dvb facetime facetime-audio feed fm fb-messenger git git+ssh github-mac gtalk h323 im
    itms itms-apps itms-appss itms-services jabber jdbc jetbrains keyparc leaptofrogans livescript magnet maps market
    matrix mid mms mocha moz-extension ms-access ms-appinstaller ms-calculator ms-cxh ms-excel ms-gamebar ms-infopath
    ms-officecmd ms-people ms-powerpoint ms-settings ms-screenclip ms-search ms-store ms-widgetboard ms-windows-store
    ms-word ms-xbl-3d8b930f msteams nfs nntp obsidian odbc onenote otpauth outlookfeed payto powershell prefs pres
    proxy raycast registerprotocolhandler res resource rlogin rtmp rtsp search-ms secondlife sgn shortcuts sip sips
    skype slack smb sms smsto snmp soldat ssh steam stun svn tel teams tg tn3270 turn udp unreal upi venmo vscode
    vscode-insiders vnd-ms-cab-ref wasm web+javascript web+data webcal wifi wpid wtai x-apple.systempreferences x-man-page
    xmpp ymsgr zoommtg zoomus`.split(/\s+/);
  test.each(systemSchemes)('the scheme %s, which belongs to browsers, systems or other programs', (scheme) => {
    for (const rest of ['/callback', '//callback', '//app.example/callback', '']) {
      expect(redirectUriProblem(`${scheme}:${rest}`), rest).not.toBeNull();
    }
  });
});
