import { describe, expect, it } from 'vitest';
import { answerTo } from '@/examples/agents/converter/conversation';
import { readNumber } from '@/examples/agents/converter/numbers';
import { unitsOf } from '@/examples/agents/converter/units';

const now = new Date('2026-11-26T10:00:00Z');

function say(...messages: string[]): string {
  const answer = answerTo(messages, now);
  return 'text' in answer ? answer.text.replaceAll('**', '') : `? ${answer.question}`;
}

describe('the converter’s number parser', () => {
  it.each([
    ['12', 12],
    ['1,200.5', 1200.5],
    ['1 200,5', 1200.5],
    ['1,5', 1.5],
    ['1,500', 1500],
    ['-40', -40],
    ['2e3', 2000],
    ['3 1/2', 3.5],
    ['½', 0.5],
    ['2½', 2.5],
    ['two', 2],
    ['half a', 0.5],
    ['.5', 0.5],
  ])('reads %s as %d', (text, value) => {
    expect(readNumber(text)).toEqual({ value, length: text.length });
  });

  it.each(['', 'miles', 'anchor', '1/0 x'.slice(3)])('finds no number in %j', (text) => {
    expect(readNumber(text)).toBeNull();
  });
});

describe('unit conversion', () => {
  it.each([
    ['12 miles to km', '12 mi = 19.3121 km'],
    ['Convert 5.5 kg into pounds, please', '5.5 kg = 12.1254 lb'],
    ['What is 100 °F in Celsius?', '100 °F = 37.7778 °C'],
    ['0 c to f', '0 °C = 32 °F'],
    ['-40 °C in °F', '-40 °C = -40 °F'],
    ['how many feet are in 3 meters', '3 m = 9.84252 ft'],
    ['How many cups are in 2 liters?', '2 l = 8.45351 cup'],
    ['how many ounces in a pound?', '1 lb = 16 oz'],
    ['5 fl oz to ml', '5 fl oz = 147.868 ml'],
    ["6' in cm", '6 ft = 182.88 cm'],
    ['90 km/h in mph', '90 km/h = 55.9234 mph'],
    ['a light-year in km', '1 ly = 9,460,730,472,580 km'],
    ['3 1/2 cups to ml', '3.5 cup = 828.059 ml'],
    ['1 GiB in MB', '1 GiB = 1,073.74 MB'],
    ['2 weeks in hours', '2 wk = 336 h'],
    ['10 acres in ha', '10 ac = 4.04686 ha'],
  ])('answers "%s"', (text, result) => {
    expect(say(text)).toBe(result);
  });

  it('resolves an ambiguous name by the other unit', () => {
    expect(say('5 pounds to kg')).toContain('2.26796 kg');
    expect(say('5 pounds to euros')).toContain('EUR');
    expect(unitsOf('pounds').map(({ dimension }) => dimension)).toEqual(['mass', 'money']);
  });

  it('states the date of its rates', () => {
    expect(say('$50 in euros')).toBe(
      '50 USD = 48.5437 EUR\n\nAt the fixed, rounded rates of 2 January 2025; not for payments.',
    );
    expect(say('20 GBP to JPY')).toContain('20 GBP = 3,903.61 JPY');
  });
});

describe('a question for a missing detail', () => {
  it.each([
    ['12 miles', /^\? Into which unit: m, km, cm, mm/, 'km', '12 mi = 19.3121 km'],
    ['miles to km', /^\? How many mi\?/, '26.2', '26.2 mi = 42.1648 km'],
    ['5 kg in miles', /^\? kg is a weight, mi is a length\. Into which unit: kg/, 'to lbs', '5 kg = 11.0231 lb'],
    [
      '15:30 in Rome',
      /^\? 15:30 in Rome: for which city/,
      'Tokyo',
      '15:30 on Thursday, 26 November 2026 in Rome is 23:30',
    ],
    ['What time is it?', /^\? In which city\?/, 'tokyo', 'It is 19:00 on Thursday, 26 November 2026 in Tokyo.'],
    [
      'weekday of 03/04/2026',
      /^\? Is that Friday, 3 April 2026 or Wednesday, 4 March 2026\?/,
      '4 March 2026',
      'Wednesday, 4 March 2026',
    ],
    ['90 days after', /^\? Which day\?/, '2026-11-26', 'Wednesday, 24 February 2027'],
    ['hello', /^\? What should I convert\?/, '1 km in m', '1 km = 1,000 m'],
  ])('is answered by the next message: "%s"', (text, ...[question, reply, result]) => {
    expect(say(text)).toMatch(question);
    expect(say(text, reply)).toContain(result);
  });

  it('is replaced by a complete new request', () => {
    expect(say('12 miles', '3 kg to lb')).toBe('3 kg = 6.61387 lb');
  });

  it('is repeated if the answer contains no detail', () => {
    expect(say('12 miles', 'hm')).toMatch(/^\? Into which unit/);
  });
});

describe('date and time conversion', () => {
  it.each([
    [
      '15:30 in Rome to Tokyo',
      '15:30 on Thursday, 26 November 2026 in Rome is 23:30 on Thursday, 26 November 2026 in Tokyo.',
    ],
    [
      '3 pm New York in London on 1 July 2026',
      '15:00 on Wednesday, 1 July 2026 in New York is 20:00 on Wednesday, 1 July 2026 in London.',
    ],
    ['What time is it in Los Angeles when it is noon in UTC?', '12:00 on Thursday, 26 November 2026 in UTC is 04:00'],
    ['In Rome it is 9:00. What time is it in Mumbai?', '09:00 on Thursday, 26 November 2026 in Rome is 13:30'],
    ['what time is it in kyoto', 'It is 19:00 on Thursday, 26 November 2026 in Kyoto.'],
    ['2:30 on 2026-03-29 in Rome to Tokyo', '02:30 does not exist in Rome on Sunday, 29 March 2026'],
    ['2:30 on 2026-10-25 in Rome to UTC', 'the second is 01:30 on Sunday, 25 October 2026'],
    [
      'Days between 1 May 2026 and 24 December 2026',
      '237 days from Friday, 1 May 2026 to Thursday, 24 December 2026, which is 33 weeks and 6 days.',
    ],
    ['how many days until 24 December', '28 days'],
    ['90 days after 2026-11-26', 'Wednesday, 24 February 2027, 90 days after Thursday, 26 November 2026.'],
    ['two weeks from tomorrow', 'Friday, 11 December 2026'],
    ['3 weeks ago', 'Thursday, 5 November 2026'],
    ['one month after 31 January 2028', 'Tuesday, 29 February 2028'],
    ['What day of the week is December 24, 2026?', 'Thursday, 24 December 2026'],
  ])('answers "%s"', (text, result) => {
    expect(say(text)).toContain(result);
  });

  it('rejects 30 February', () => {
    expect(say('weekday of 2026-02-30')).toMatch(/^\? Which day\?/);
  });
});
