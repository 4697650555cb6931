import { describe, expect, test } from 'vitest';
import { canonicalJson } from '@/lib/protocol/jcs';

describe('RFC 8785 canonicalization', () => {
  test('§3.2.2 encodes the sample object as specified', () => {
    const sample = {
      numbers: [JSON.parse('333333333.33333329') as number, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('§3.2.3 sorts members by UTF-16 units, at every depth', () => {
    const sample = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    const names = [...canonicalJson({ outer: [sample] }).matchAll(/"([^"]+)":"/g)].map(([, name]) => name);
    expect(names).toEqual(['\\r', '1', '\u0080', 'ö', '€', '\ud83d\ude00', '\ufb33']);
  });

  test('omits undefined members', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  });
});
