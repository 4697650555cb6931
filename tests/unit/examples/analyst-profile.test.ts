import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Chart, chooseChart } from '@/examples/agents/analyst/chart';
import { type Csv, parseCsv } from '@/examples/agents/analyst/csv';
import { cutIntoPieces, pieceCount } from '@/examples/agents/analyst/pieces';
import { type Profile, profileTable, type ReadColumn } from '@/examples/agents/analyst/profile';
import {
  describeColumns,
  describeFindings,
  describeOverview,
  summaryTable,
  writeReport,
} from '@/examples/agents/analyst/report';

function profile(text: string): { csv: Csv; profile: Profile; columns: ReadColumn[] } {
  const csv = parseCsv(text);
  const steps = profileTable(csv);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return { csv, ...step.value };
}

function chartOf(text: string): Chart | null {
  const found = profile(text);
  return chooseChart(found.profile, found.columns);
}

const shop = [
  'id,date,city,price,units,postcode',
  '1,2024-01-05,Rome,10,1,00184',
  '2,2024-01-20,Milan,20,2,20121',
  '3,2024-02-03,Rome,30,3,00184',
  '4,2024-02-18,Rome,NA,4,00184',
  '5,2024-03-09,Turin,50,5,10121',
  '5,2024-03-09,Turin,50,5,10121',
].join('\n');

describe('a data profile', () => {
  it('describes every column by its cells', () => {
    const { columns, rows, duplicateRows, related } = profile(shop).profile;
    expect({ rows, duplicateRows }).toEqual({ rows: 6, duplicateRows: 1 });
    expect(columns.map(({ name, type, count, missing, distinct }) => [name, type, count, missing, distinct])).toEqual([
      ['id', 'number', 6, 0, 5],
      ['date', 'date', 6, 0, 5],
      ['city', 'text', 6, 0, 3],
      ['price', 'number', 5, 1, 4],
      ['units', 'number', 6, 0, 5],
      ['postcode', 'text', 6, 0, 3],
    ]);
    expect(columns[3]?.numbers).toMatchObject({ mean: 32, median: 30, min: 10, max: 50, sum: 160 });
    expect(columns[1]?.range).toEqual({ from: '2024-01-05', to: '2024-03-09' });
    expect(columns[2]?.top).toEqual([
      { value: 'Rome', count: 3 },
      { value: 'Turin', count: 2 },
      { value: 'Milan', count: 1 },
    ]);
    expect(related).toEqual({ a: 'id', b: 'price', r: 1, pairs: 5 });
  });

  it('counts a numeric column’s unreadable cells as missing, with a note', () => {
    const values = [...Array.from({ length: 19 }, (_, index) => `${index}`), 'oops'];
    const found = profile(`value,x\n${values.map((value) => `${value},a`).join('\n')}`);
    expect(found.profile.columns[0]).toMatchObject({ type: 'number', count: 19, missing: 1, unreadable: 1 });
    expect(describeColumns(found.profile)).toContain('(1 of them not a number)');
  });

  it('contains the two most correlated columns, including negative correlation', () => {
    const rows = Array.from({ length: 30 }, (_, index) => [index, -2 * index + 7, (index * 7919) % 13].join(','));
    expect(profile(`a,b,noise\n${rows.join('\n')}`).profile.related).toEqual({ a: 'a', b: 'b', r: -1, pairs: 30 });
  });

  it('counts the most frequent values exactly, however many there are', () => {
    const rows = [...Array.from({ length: 3000 }, (_, index) => `v${index}`), 'late', 'late'];
    expect(profile(`name,x\n${rows.map((value) => `${value},-`).join('\n')}`).profile.columns[0]?.top[0]).toEqual({
      value: 'late',
      count: 2,
    });
  });
});

describe('the analyst’s chart', () => {
  it('shows a number over time, never an identifier', () => {
    expect(chartOf(shop)).toEqual({
      kind: 'chart',
      type: 'line',
      title: 'Average price by day',
      x: { label: 'date', values: ['2024-01-05', '2024-01-20', '2024-02-03', '2024-03-09'] },
      series: [{ name: 'price', values: [10, 20, 30, 50] }],
    });
  });

  it('groups long periods by month', () => {
    const days = Array.from({ length: 90 }, (_, index) =>
      new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10),
    );
    expect(chartOf(`day,value\n${days.map((day) => `${day},${Number(day.slice(5, 7))}`).join('\n')}`)).toMatchObject({
      title: 'Average value by month',
      x: { values: ['2024-01', '2024-02', '2024-03'] },
      series: [{ values: [1, 2, 3] }],
    });
  });

  it('shows averages by category, the highest first', () => {
    expect(chartOf('city,price\nRome,1\nMilan,9\nRome,3')).toMatchObject({
      type: 'bar',
      title: 'Average price by city',
      x: { values: ['Milan', 'Rome'] },
      series: [{ name: 'price', values: [9, 2] }],
    });
  });

  it('shows a distribution that counts every value once', () => {
    const chart = chartOf(`x\n${Array.from({ length: 100 }, (_, index) => index / 7).join('\n')}`);
    expect(chart?.title).toBe('Distribution of x');
    expect(chart?.series[0]?.values.reduce((sum, count) => sum + count, 0)).toBe(100);
  });

  it('shows value frequencies, or no chart if every value is unique', () => {
    expect(chartOf('color,shape\nred,a\nred,b\nblue,c')).toMatchObject({
      title: 'Most frequent values of color',
      series: [{ name: 'Rows', values: [2, 1] }],
    });
    expect(chartOf('name,shape\nx,a\ny,b')).toBeNull();
  });
});

describe('the analyst’s report', () => {
  it('describes the file, each column and the anomalies', () => {
    const { csv, profile: found } = profile(shop);
    expect(describeOverview('shop.csv', csv, found)).toBe(
      '## Profile of `shop.csv`\n\n**6 rows and 6 columns**, separated by commas, with a header. 1 cell of 36 (2.78 %) is empty.\n\n',
    );
    expect(describeColumns(found)).toContain(
      '- `price`: 5 number values, 1 missing. Mean 32, median 30, from 10 to 50.\n',
    );
    expect(describeFindings(found)).toBe(
      [
        '### What stands out\n',
        '- `id` and `price` are the most closely related columns; they move strongly together (r = 1.00, 5 rows).',
        '- `price` has the most gaps: 1 (16.67 %).',
        '- 1 row repeats an earlier one exactly.\n',
      ].join('\n'),
    );
  });

  it('has one table row per column, in the data and in the file', () => {
    const table = summaryTable(profile(shop).profile);
    expect(table.rows[3]).toEqual({
      column: 'price',
      type: 'number',
      count: 5,
      missing: 1,
      distinct: 4,
      mean: 32,
      median: 30,
      min: 10,
      max: 50,
    });
    expect(table.rows[2]).toMatchObject({ column: 'city', mean: null, max: null });
    expect(writeReport('Hello\n', table)).toContain('| `price` | `number` | 5 | 1 | 4 | 32 | 30 | 10 | 50 |\n');
  });

  it('escapes all text taken from the file', () => {
    const { csv, profile: found } = profile('"**a** | [x](http://evil)","`b`\n# c"\n<script>,1\n<script>,2');
    const text =
      describeOverview('<img src=x>`', csv, found) + describeColumns(found) + writeReport('', summaryTable(found));
    const outsideCode = text.replace(/`[^`]*`/g, '');
    expect(outsideCode).not.toMatch(/evil|script|img|\*\*a\*\*|# c/);
    expect(
      text
        .split('\n')
        .filter((line) => line.startsWith('| `'))
        .every((line) => line.split(/(?<!\\)\|/).length === 11),
    ).toBe(true);
  });
});

describe('text split into chunks', () => {
  it('yields the original text when its chunks are joined', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400, unit: 'grapheme' }), fc.integer({ min: 1, max: 60 }), (text, count) => {
        expect(cutIntoPieces(text, count).join('')).toBe(text);
      }),
    );
  });

  it('has thirty to sixty chunks', () => {
    expect([10, 960, 100_000].map(pieceCount)).toEqual([30, 40, 60]);
    const text = 'word '.repeat(300);
    expect(cutIntoPieces(text, pieceCount(text.length)).length).toBeGreaterThanOrEqual(50);
  });
});
