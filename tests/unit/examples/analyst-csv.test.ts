import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvError, MAX_COLUMNS, MAX_ROWS, parseCsv } from '@/examples/agents/analyst/csv';

function cells(text: string): string[][] {
  const { columns, rows, hasHeader } = parseCsv(text);
  return hasHeader ? [columns, ...rows] : rows;
}

describe('the CSV parser', () => {
  it.each([
    [
      'quoted cells with separators',
      'a,b\n"1,5",x',
      [
        ['a', 'b'],
        ['1,5', 'x'],
      ],
    ],
    [
      'doubled quotes',
      'a,b\n"say ""hi""",x',
      [
        ['a', 'b'],
        ['say "hi"', 'x'],
      ],
    ],
    [
      'line breaks in cells',
      'a,b\r\n"one\r\ntwo",x\r\n',
      [
        ['a', 'b'],
        ['one\r\ntwo', 'x'],
      ],
    ],
    [
      'CRLF',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'only a CR',
      'a,b\r1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'an empty last cell',
      'a,b\n1,\n2,',
      [
        ['a', 'b'],
        ['1', ''],
        ['2', ''],
      ],
    ],
    [
      'an empty quoted cell',
      'a,b\n"",2',
      [
        ['a', 'b'],
        ['', '2'],
      ],
    ],
    [
      'a byte order mark',
      '\uFEFFa,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'blank lines',
      'a,b\n\n1,2\n\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'white space around cells',
      'a, b\n 1 ,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a quote within a cell',
      'a,b\n5" pipe,2',
      [
        ['a', 'b'],
        ['5" pipe', '2'],
      ],
    ],
  ])('follows RFC 4180 for %s', (_name, text, expected) => {
    expect(cells(text)).toEqual(expected);
  });

  it('reads back any cells that were written', () => {
    const cell = fc.string({
      maxLength: 12,
      unit: fc.constantFrom('a', 'B', '1', ' ', ',', ';', '"', '\n', '\r\n', 'é', '🍕'),
    });
    const table = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
      );
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), (rows, end) => {
        const header = rows[0]?.map((_, column) => `name ${'x'.repeat(column + 1)}`) ?? [];
        const text = [header, ...rows]
          .map((row) => row.map((value) => `"${value.replace(/"/g, '""')}"`).join(','))
          .join(end);
        // A row with only empty cells is a blank line.
        const written = rows.filter((row) => row.some((value) => value !== ''));
        fc.pre(written.length > 0);
        expect(parseCsv(text).rows).toEqual(written);
      }),
      { examples: [[[['a', 'b']], '\n']] },
    );
  });
});

describe('separator detection', () => {
  it.each([
    [',', 'city,price\nRome,1\nMilan,2'],
    [';', 'city;price\nRome;1,5\nMilan;2,5'],
    ['\t', 'city\tprice\nRome\t1,5\nMilan\t2,5'],
    ['|', 'city|price\nRome|1\nMilan|2'],
    [',', 'city,note\nRome,"a;b;c"\nMilan,"d;e;f"'],
    [',', '"Rome","a;b;c"\n"Milan","d;e;f"'],
  ])('detects %j', (separator, text) => {
    expect(parseCsv(text).separator).toBe(separator);
  });
});

describe('header detection', () => {
  it.each([
    ['names over numbers', 'city,price\nRome,1', true],
    ['years as names', 'country,2019,2020\nItaly,11,12', true],
    ['numbers in the first row', 'Rome,1\nMilan,2', false],
    ['dates in the first row', '2024-01-01,a\n2024-01-02,b', false],
    ['a column of years', 'Rome,2019\nMilan,2020', false],
    ['a first row that is repeated below', 'yes,no\nno,no\nyes,yes', false],
    ['a duplicate name', 'a,a\n1,2', false],
  ])('recognizes whether the first row is a header: %s', (_name, text, hasHeader) => {
    expect(parseCsv(text).hasHeader).toBe(hasHeader);
  });

  it('numbers unnamed columns, and makes every column name unique', () => {
    expect(parseCsv('Rome,1\nMilan,2').columns).toEqual(['Column 1', 'Column 2']);
    expect(parseCsv('name,,Name \nx,1,2').columns).toEqual(['Column 1', 'Column 2', 'Column 3']);
    expect(parseCsv('name,,Column 2\nx,1,2').columns).toEqual(['name', 'Column 2', 'Column 2 (2)']);
  });
});

describe('the anomaly report', () => {
  it('lists rows of a different width', () => {
    const { rows, problems } = parseCsv('a,b,c\n1,2\n1,2,3\n1,2,3,4\n');
    expect(rows).toEqual([
      ['1', '2', ''],
      ['1', '2', '3'],
      ['1', '2', '3'],
    ]);
    expect(problems).toEqual(['2 rows have more or fewer cells than the header.']);
  });

  it('lists the line of a quote that is never closed', () => {
    expect(parseCsv('a,b\n"x\ny",2\n1,"open\n2,3').problems).toEqual(['A quote that opens in line 4 is never closed.']);
  });

  it('states the row limit if the file has more rows', () => {
    const { rows, problems } = parseCsv(`a\n${'1\n'.repeat(MAX_ROWS + 5)}`);
    expect(rows).toHaveLength(MAX_ROWS);
    expect(problems).toEqual([`Only the first ${MAX_ROWS.toLocaleString('en-US')} rows were read.`]);
  });

  it.each([
    ['', 'The CSV is empty.'],
    ['\n\n', 'The CSV is empty.'],
    ['city,price\n', 'The CSV has a header but no rows.'],
    [','.repeat(MAX_COLUMNS + 50), 'The CSV is empty.'],
    [`${'x,'.repeat(MAX_COLUMNS)}x\n`, `The CSV has more than ${MAX_COLUMNS} columns, the most I can read.`],
  ])('rejects a file without a table: %j', (text, message) => {
    expect(() => parseCsv(text)).toThrow(new CsvError(message));
  });
});
