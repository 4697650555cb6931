import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { ArtifactRow } from '@/components/chat/artifacts/artifacts-panel';
import { type ArtifactView, readArtifact } from '@/components/chat/artifacts/read-artifact';
import type { Part } from '@/lib/protocol/a2a/core/model';
import { withTexts } from '../../support/with-texts';
import { readableText } from './render-markdown';

function read(parts: Part[], name?: string): ArtifactView {
  return readArtifact({ artifactId: 'a', name, parts });
}

/** The start of its line in the list. */
function rowText(view: ArtifactView): string {
  const row = createElement(ArtifactRow, { view, streaming: false, onSelect: () => undefined, autoFocus: false });
  return readableText(renderToStaticMarkup(withTexts(row)));
}

function savedText(view: ArtifactView, place = 0): string {
  return Buffer.from(view.pieces[place]?.file?.bytes() ?? []).toString('utf8');
}

describe('an artifact in chunks', () => {
  test('saves text byte for byte as if it were in one part, however it is split', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 60 }), { maxLength: 5 }), (whole, cuts) => {
        const places = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length];
        const chunks = places.slice(1).map((end, index) => whole.slice(places[index], end));
        const view = read(chunks.map((chunk) => ({ kind: 'text', text: chunk })));
        expect(view.pieces).toHaveLength(1);
        expect(Buffer.from(view.pieces[0]?.file?.bytes() ?? []).equals(Buffer.from(whole, 'utf8'))).toBe(true);
        expect(view.pieces[0]?.copy).toBe(whole);
      }),
    );
  });

  test('saves a file byte for byte, with each chunk padded separately', () => {
    const piece = fc.uint8Array({ maxLength: 20 });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
        const parts = pieces.map(
          (bytes): Part => ({
            kind: 'bytes',
            bytes: Buffer.from(bytes).toString('base64'),
            filename: 'data.bin',
          }),
        );
        const view = read(parts);
        expect(view.pieces).toHaveLength(1);
        expect(Buffer.from(view.pieces[0]?.file?.bytes() ?? []).equals(Buffer.concat(pieces))).toBe(true);
        expect(view.size).toBe(Buffer.concat(pieces).length);
      }),
    );
  });

  test('can omit its type in later chunks', () => {
    const view = read([
      { kind: 'text', text: '# a', mediaType: 'text/markdown' },
      { kind: 'text', text: ' b' },
    ]);
    expect(view.pieces.map((piece) => piece.view)).toEqual([{ kind: 'markdown', text: '# a b' }]);
  });

  test.each<[string, Part[]]>([
    [
      'of other types',
      [
        { kind: 'text', text: 'a', mediaType: 'text/html' },
        { kind: 'text', text: 'b', mediaType: 'text/css' },
      ],
    ],
    [
      'of other names',
      [
        { kind: 'bytes', bytes: 'YQ==', filename: 'a' },
        { kind: 'bytes', bytes: 'YQ==', filename: 'b' },
      ],
    ],
    [
      'without names',
      [
        { kind: 'bytes', bytes: 'YQ==' },
        { kind: 'bytes', bytes: 'YQ==' },
      ],
    ],
    [
      'with data in between',
      [
        { kind: 'text', text: 'a' },
        { kind: 'data', data: {} },
        { kind: 'text', text: 'b' },
      ],
    ],
  ])('keeps parts %s separate', (_what, parts) => {
    expect(read(parts).pieces).toHaveLength(parts.length);
  });
});

describe('the description of an artifact', () => {
  test.each<[Part[], [kind: string, fileName: string | undefined]]>([
    [[{ kind: 'text', text: 'abc' }], ['Text', 'Made.md']],
    [[{ kind: 'text', text: 'a,b', mediaType: 'text/csv' }], ['Text', 'Made.csv']],
    [[{ kind: 'text', text: 'a', mediaType: 'text/x-python', filename: 'run.py' }], ['Text', 'run.py']],
    [[{ kind: 'data', data: { a: 1 } }], ['Data', 'Made.json']],
    [[{ kind: 'data', data: { 'ap2.mandates.CartMandate': {} } }], ['Cart', 'Made.json']],
    [[{ kind: 'bytes', bytes: 'YQ==', filename: 'a.bin' }], ['File', 'a.bin']],
    [[{ kind: 'bytes', bytes: '!', filename: 'a.bin' }], ['File', undefined]],
    [[{ kind: 'uri', uri: 'https://a.example/f' }], ['Link', undefined]],
    [[], ['Empty', undefined]],
    [
      [
        { kind: 'text', text: 'a' },
        { kind: 'data', data: {} },
      ],
      ['2 parts', 'Made.md'],
    ],
  ])('has the expected kind and file name for %j', (parts, [kind, fileName]) => {
    const view = read(parts, 'Made');
    expect(rowText(view)).toMatch(new RegExp(`^Made${kind}(, \\d+ bytes?)?$`));
    expect(view.pieces[0]?.file?.name).toBe(fileName);
  });

  test('contains the file’s name if the artifact has no name', () => {
    expect(read([{ kind: 'bytes', bytes: 'YQ==', filename: 'a.bin' }]).name).toBe('a.bin');
    expect(rowText(read([]))).toBe('ArtifactEmpty');
  });

  test('includes data as JSON that reads back unchanged', () => {
    const view = read([{ kind: 'data', data: { a: [1, null, 'ü'] } }]);
    expect(JSON.parse(savedText(view))).toEqual({ a: [1, null, 'ü'] });
  });
});
