import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { extractUsedKeys } from '../../../scripts/messages/extract-used-keys.mjs';

const needed: Record<string, string[]> = extractUsedKeys();

describe('the messages that a page passes to the browser', () => {
  test('include all of its client components’ messages, including lazy ones', () => {
    expect(needed['app/(market)/agents/[slug]']).toEqual(
      expect.arrayContaining(['market.tryIt', 'market.answer', 'parts.cartCard', 'payments.payOrder']),
    );
    expect(needed['app/(chat)']).toEqual(
      expect.arrayContaining(['chat.composer', 'chat.inspector', 'parts.chartCard']),
    );
    expect(needed.app).toEqual(expect.arrayContaining(['ui.toast', 'shell.errorView']));
  });

  test('include those of a page below another page that has its own', () => {
    const [below, above] = ['app/(market)/agents/[slug]/pay', 'app/(market)/agents/[slug]'];
    expect(needed[below]).toContain('payments.approvePrice');
    expect(needed[above]).not.toContain('payments.approvePrice');
  });

  test('exclude server components’ and other pages’ messages', () => {
    expect(needed['app/(market)/agents/[slug]']).not.toContain('market.scoreParts');
    expect(needed['app/(market)']).not.toContain('market.tryIt');
    expect(needed['app/(chat)']?.filter((key) => key.startsWith('console.'))).toEqual([]);
  });

  test('are listed by component, not as whole namespaces', () => {
    expect(Object.values(needed).flat()).toEqual(
      Object.values(needed)
        .flat()
        .filter((key) => key.includes('.')),
    );
  });

  test.each(Object.keys(needed))('are passed under their own name for %s', (folder) => {
    const files = ['page.tsx', 'layout.tsx'].map((name) => path.join(folder, name)).filter((file) => existsSync(file));
    const names = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/<PageTexts of="([^"]*)"/g)]);
    expect(new Set(names.map(([, name]) => name))).toEqual(new Set([folder]));
  });
});
