import { describe, expect, test } from 'vitest';
import { oklchHex } from '@/components/market/agent-page/listing-image';
import { markShapes } from '@/components/ui/display/agent-mark';

describe('an agent’s generated mark', () => {
  test('is constant for a slug', () => {
    expect(markShapes('pizzeria')).toEqual(markShapes('pizzeria'));
  });

  test('differs between neighbors and within a long list', () => {
    const slugs = Array.from({ length: 500 }, (_, index) => `agent-${index}`);
    const marks = new Set(slugs.map((slug) => JSON.stringify(markShapes(slug))));
    expect(marks.size).toBeGreaterThan(495);
  });

  test('has a contrast of at least 3:1 between its tones, in both themes, for every hue', () => {
    for (let hue = 0; hue < 360; hue += 5) {
      for (let other = 0; other < 360; other += 70) {
        const light = contrast(oklchHex(0.9, 0.055, hue), oklchHex(0.46, 0.12, other));
        const dark = contrast(oklchHex(0.34, 0.06, hue), oklchHex(0.82, 0.11, other));
        expect(Math.min(light, dark), `${hue} on ${other}`).toBeGreaterThan(3);
      }
    }
  });
});

/** WCAG 2.2 contrast of two colors in hex. */
function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
