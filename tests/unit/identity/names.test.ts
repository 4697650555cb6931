import { describe, expect, test } from 'vitest';
import { cleanName, signUpInput } from '@/lib/identity/inputs';
import { describeUserAgent } from '@/lib/identity/sessions/user-agents';

describe('cleanName (XSS-3)', () => {
  test.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['  Ada \t\n Lovelace ', 'Ada Lovelace'],
    ['Ada\u202eecalevoL', 'Ada ecalevoL'],
    ['A\u200bd\u2060a', 'A d a'],
    ['\u0000\u001b[31mAda', '[31mAda'],
    ['\u2066\u2069', ''],
    ['Zoe\u0308', 'Zo\u00eb'],
    ['李小龍', '李小龍'],
    ['<b>Ada</b>', '<b>Ada</b>'],
  ])('changes %j to %j', (given, cleaned) => {
    expect(cleanName(given)).toBe(cleaned);
  });

  test('truncates a long name at a character boundary', () => {
    expect(cleanName('😀'.repeat(100))).toBe('😀'.repeat(80));
  });
});

describe('the sign-up input', () => {
  const good = { email: 'ada@example.org', name: 'Ada', password: 'correct horse' };

  test('stores an email address in lower case without surrounding spaces', () => {
    expect(signUpInput.parse({ ...good, email: ' Ada@Example.ORG ' }).email).toBe('ada@example.org');
  });

  test.each([
    ['ada'],
    ['ada@'],
    ['@example.org'],
    ['ada@example.org\r\nBcc: all@example.org'],
    ['ada@example.org, eve@example.org'],
    ['<ada@example.org>'],
    ['"ada eve"@example.org'],
    ['ada@eve@example.org'],
    [`${'a'.repeat(250)}@example.org`],
  ])('rejects %j as an email address', (email) => {
    expect(signUpInput.safeParse({ ...good, email }).success).toBe(false);
  });

  test('rejects a name without visible characters', () => {
    expect(signUpInput.safeParse({ ...good, name: '\u200b\u200b' }).success).toBe(false);
  });
});

describe('describeUserAgent', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';
  test.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} Safari/537.36 OPR/120.0`, 'Opera on macOS'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
      'Chrome on iPad',
    ],
    ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [`Mozilla/5.0 (Linux; Android 15; SM-S931B) ${chrome} Mobile Safari/537.36`, 'Chrome on Android'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36',
      'Headless Chrome on Linux',
    ],
    ['curl/8.5.0', 'curl'],
    ['Mozilla/5.0 (Linux)', 'A browser on Linux'],
    ['node', 'Unknown device'],
    ['', 'Unknown device'],
  ])('names the browser and the system: %s', (userAgent, words) => {
    expect(describeUserAgent(userAgent)).toBe(words);
  });
});
