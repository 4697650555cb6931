import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { neededTexts } from '../../../scripts/texts/needed.mjs';

const needed: Record<string, string[]> = neededTexts();

describe('the texts that a page hands to the browser', () => {
  test('are those of what it draws there, also of what comes later', () => {
    expect(needed['app/(market)/agents/[slug]']).toEqual(
      expect.arrayContaining(['market.tryIt', 'market.answer', 'parts.cartCard', 'payments.payOrder']),
    );
    expect(needed['app/(chat)']).toEqual(
      expect.arrayContaining(['chat.composer', 'chat.inspector', 'parts.chartCard']),
    );
    expect(needed.app).toEqual(expect.arrayContaining(['ui.toast', 'shell.errorView']));
  });

  test('are not those of what the server draws, or other pages', () => {
    expect(needed['app/(market)/agents/[slug]']).not.toContain('market.scoreParts');
    expect(needed['app/(market)']).not.toContain('market.tryIt');
    expect(needed['app/(chat)']?.filter((place) => place.startsWith('console.'))).toEqual([]);
  });

  test('are named by component, never a whole area', () => {
    expect(Object.values(needed).flat()).toEqual(
      Object.values(needed)
        .flat()
        .filter((place) => place.includes('.')),
    );
  });

  test.each(Object.keys(needed))('%s: are handed out under its own name', (folder) => {
    const files = ['page.tsx', 'layout.tsx'].map((name) => path.join(folder, name)).filter((file) => existsSync(file));
    const names = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/<PageTexts of="([^"]*)"/g)]);
    expect(new Set(names.map(([, name]) => name))).toEqual(new Set([folder]));
  });
});
