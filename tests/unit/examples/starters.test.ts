import { describe, expect, it } from 'vitest';
import { bookingForm, wordsOf } from '@/examples/agents/starters/calendar-form';
import { bookingSurface, wordsOfAction } from '@/examples/agents/starters/calendar-surface';
import { inMinutes, slotsOf, suggest } from '@/examples/agents/starters/calendar-wish';
import { describeScene, draw } from '@/examples/agents/starters/illustrator-canvas';
import { readScene } from '@/examples/agents/starters/illustrator-scene';
import { play } from '@/examples/agents/starters/quiz';
import { questionsOf, topics } from '@/examples/agents/starters/quiz-questions';
import { answerTo, build, run } from '@/examples/agents/starters/regex-helper';
import { noSurfaces, placePart } from '@/lib/protocol/a2ui/messages/place-surfaces';
import { buildView } from '@/lib/protocol/a2ui/view/build-view';
import { allNodes } from '@/lib/protocol/a2ui/view/inspect-view';
import type { JsonValue } from '@/lib/protocol/json';

describe('the calendar', () => {
  // A Thursday.
  const now = new Date('2026-11-26T10:00:00Z');
  const booked = new Set<string>();

  function ask(...texts: string[]): string {
    const suggestion = suggest(texts, now, { isBooked: (start) => booked.has(start) });
    return 'question' in suggestion
      ? `? ${suggestion.question}`
      : `${suggestion.slot.start} ${suggestion.slot.minutes}`;
  }

  it.each([
    ['nothing', '', /^\? Which day\? Rooms are open .* Free on Thursday, November 26: 10:30 AM/],
    ['an unrecognized request', 'xyzzy', /^\? Which day\?/],
    ['a day that does not exist', 'February 30 at 10', /^\? Which day\?/],
    ['a day in the past', 'yesterday at 3', /^\? That day has passed\./],
    ['a day too far ahead', '2027-06-01 at 10', /^\? I book up to 30 days ahead\./],
    ['a weekend', 'Saturday at 10', /^\? .*on a weekend\. Free on Monday, November 30/],
    ['the evening', 'tomorrow at 8 pm', /^\? Rooms are open/],
    ['a time after closing', 'tomorrow at 4:30 pm for 2 hours', /^\? Rooms are open/],
    ['a time that is not offered', 'tomorrow at 10:15', /^\? Meetings start on the hour or the half hour\./],
    ['a length that is not offered', 'tomorrow at 10 for 3 hours', /^\? Meetings last 30, 60, 90 or 120 minutes\./],
    ['hour 99', 'tomorrow at 99:00', /^\? Rooms are open/],
  ])('rejects %s', (_name, text, question) => {
    expect(ask(text)).toMatch(question);
  });

  it('reads the answer to its form as words, and rejects other data', () => {
    expect(bookingForm(now)).toMatchObject({
      schema: { properties: { day: { formatMinimum: '2026-11-26', formatMaximum: '2026-12-26' } } },
    });
    const answer = wordsOf({ day: '2026-11-30', time: '14:30', minutes: 90 });
    expect(ask('Book a meeting', answer)).toBe('2026-11-30T14:30:00.000Z 90');
    expect([wordsOf({ day: 5 }), wordsOf(null), wordsOf('x')]).toEqual(['', '', '']);
  });

  it('reads the action on its surface as words, and offers only free times on it', () => {
    const { data } = bookingSurface(now, { isBooked: () => false }) as { data: JsonValue };
    const surface = placePart(noSurfaces, { turn: '', position: '', data }).active.get('booking')?.surface;
    const view = surface && buildView(surface, surface.data, { locale: 'en-US', timeZone: 'UTC' });
    expect(view?.root && allNodes(view.root).map(({ kind }) => kind)).toEqual([
      ...['column', 'tabs', 'choice', 'choice', 'choice', 'choice', 'button', 'text'],
    ]);
    expect(JSON.stringify(data)).not.toContain('2026-11-26T09:');
    const context = { start: ['2026-11-30T14:30:00.000Z'], minutes: ['90'] };
    const words = wordsOfAction([{ version: 'v1.0', action: { name: 'check', context } }]);
    expect(ask('Book a meeting', words)).toBe('2026-11-30T14:30:00.000Z 90');
    expect([wordsOfAction({}), wordsOfAction(null), wordsOfAction([[{ action: 5 }]])]).toEqual(['', '', '']);
  });

  it('asks for each missing detail in turn', () => {
    expect(ask('Book a meeting')).toMatch(/^\? Which day\?/);
    expect(ask('Book a meeting', 'Monday')).toMatch(/^\? What time\? Free on Monday, November 30/);
    expect(ask('Book a meeting', 'Monday', '12')).toMatch(/^\? For how long\?/);
    expect(ask('Book a meeting', 'Monday', '12', '60')).toBe('2026-11-30T12:00:00.000Z 60');
    expect(ask('Book a meeting', 'hm')).toMatch(/^\? I did not find a day or a time in that\./);
  });

  it.each([
    ['Monday at noon for half an hour', '2026-11-30T12:00:00.000Z 30'],
    ['Nov 30 at 9 am, 2 hours', '2026-11-30T09:00:00.000Z 120'],
    ['on monday at 12:30 for an hour and a half', '2026-11-30T12:30:00.000Z 90'],
    ['2026-11-30 9:30 60 minutes', '2026-11-30T09:30:00.000Z 60'],
  ])('understands "%s"', (text, slot) => {
    expect(ask(text)).toBe(slot);
  });

  it('replaces an earlier answer with a later one', () => {
    expect(ask('Monday at 12 for an hour', 'rather 90 minutes')).toBe('2026-11-30T12:00:00.000Z 90');
  });

  it('offers only free times', () => {
    slotsOf({ start: '2026-11-30T12:00:00.000Z', minutes: 60 }).forEach((start) => void booked.add(start));
    expect([...booked]).toEqual(['2026-11-30T12:00:00.000Z', inMinutes('2026-11-30T12:00:00.000Z', 30)]);
    expect(ask('Monday at 12:30 for 30 minutes')).toMatch(/ is not free\. Free on Monday/);
    booked.clear();
  });
});

describe('the illustrator', () => {
  const draws = (text: string): string => draw(readScene(text));

  it.each([
    '<script>alert(1)</script>',
    'a house"/><image href="https://evil.example/x.png"/>',
    'a red house onload=alert(1) style=background:url(//evil.example)',
    '<!ENTITY x SYSTEM "file:///etc/passwd"> a tree &x;',
    'constructor __proto__ toString a hasOwnProperty house',
    `${'house '.repeat(500)}`,
    '99999999999 trees',
  ])('draws only safe SVG with fixed shapes: %s', (text) => {
    const svg = draws(text);
    expect(svg).not.toMatch(/script|href|style=|onload|ENTITY|image|foreignObject|NaN|undefined|Infinity/i);
    expect(svg.match(/url\([^)]*\)/g)).toEqual(['url(#sky)']);
    expect(svg.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
    expect(svg.length).toBeLessThan(60_000);
  });

  it('lists the words that it cannot draw', () => {
    const scene = readScene('a unicorn and a zeppelin over a hill');
    expect(scene.unknown).toEqual(['unicorn', 'zeppelin']);
    expect(describeScene(scene)).toBe(
      'I drew a hill.\n\nNot drawn, because I do not know the words: unicorn, zeppelin.',
    );
  });

  it.each([
    ['Draw me a house', 'I drew a house.'],
    ['a huge green house on the left and three cats', 'I drew a huge green house on the left and 3 cats.'],
    ['a blue boat on the sea at sunset', 'I drew a blue boat on the sea at sunset.'],
    [
      'two trees, a small red house between the trees, at night in the rain',
      'I drew 2 trees and a small red house between the trees at night in rain.',
    ],
  ])('draws "%s"', (text, words) => {
    expect(describeScene(readScene(text))).toBe(words);
  });

  it('applies colors, positions, weather and time to the picture', () => {
    const svg = draws('a pink house on the right, at night in the snow');
    expect(svg).toContain('fill="#e68ab0"');
    expect(svg).toContain('#0f1a3a');
    expect(svg.match(/r="\d" fill="#ffffff"/g)?.length).toBeGreaterThan(50);
    const [left, right] = ['left', 'right'].map((side) =>
      /translate\((\d+)/.exec(draws(`a tree on the ${side}, no sun`).split('<rect y')[1] ?? ''),
    );
    expect(Number(left?.[1])).toBeLessThan(Number(right?.[1]));
  });
});

describe('the quiz', () => {
  it.each(['', 'hello', 'quiz me on cooking', 'constructor', '🎈'])('asks for a topic after "%s"', (text) => {
    expect(play([text], 's')).toMatchObject({
      isOver: false,
      text: expect.stringContaining('Which one would you like?'),
    });
  });

  it('asks five questions, counts the score and ends', () => {
    const said = ['Test me on capitals'];
    const bank = questionsOf('capitals', 'easy');
    let reply = play(said, 's');
    expect(reply.text).toMatch(/^5 questions on capitals, easy\./);
    for (let round = 1; round <= 5; round += 1) {
      expect(reply.text).toContain(`**Question ${round} of 5**`);
      const question = bank.find(({ text }) => reply.text.endsWith(text));
      said.push(round === 3 ? 'Atlantis' : `It is ${question?.answers[0]?.toLowerCase()}!`);
      reply = play(said, 's');
      expect(reply.text).toMatch(round === 3 ? /^Not quite\. The answer is \*\*\w+\*\*\./ : /^\*\*Right!\*\*/);
    }
    expect(reply).toEqual({
      isOver: true,
      text: expect.stringContaining('**Your score: 4 of 5** on capitals. Well done!'),
    });
  });

  it('keeps one task’s questions the same, and asks others in the next task', () => {
    expect(play(['science'], 'one')).toEqual(play(['science'], 'one'));
    const asked = ['a', 'b', 'c', 'd', 'e', 'f'].map((seed) => play(['history'], seed).text);
    expect(new Set(asked).size).toBeGreaterThan(1);
  });

  it('gives one hint per question, and skips a question or stops on request', () => {
    expect(play(['hard science', 'hint'], 's').text).toMatch(/^It starts with \*\*.\*\*/);
    expect(play(['hard science', 'skip'], 's').text).toMatch(/^The answer is/);
    expect(play(['hard science', 'skip', 'stop'], 's')).toMatchObject({
      isOver: true,
      text: expect.stringContaining('0 of 1'),
    });
    expect(play(['stop'], 's').isOver).toBe(true);
  });

  it('has enough questions, each with an answer', () => {
    for (const topic of topics) {
      for (const level of ['easy', 'hard'] as const) {
        const questions = questionsOf(topic, level);
        expect(questions.length).toBeGreaterThan(5);
        for (const { text, answers } of questions) expect([text.at(-1), answers.every(Boolean)]).toEqual(['?', true]);
      }
    }
  });
});

describe('the regex helper', () => {
  it.each([
    ['hello', /^Which regular expression\?/],
    ['', /^Which regular expression\?/],
    ['build a regex', /^Which texts should it match\?/],
    ['x'.repeat(20_001), /^That is too long\./],
    [`/${'a'.repeat(501)}/`, /^I explain expressions of up to 500 characters\./],
  ])('asks for an expression after %.20s', async (message, question) => {
    expect(await answerTo(message)).toEqual({ question: expect.stringMatching(question) });
  });

  it.each(['/(/', '/[b-a]/', '/a{2,1}/', '/\\/(?</u'])('reports that %s is not valid', async (message) => {
    expect(await answerTo(message)).toEqual({ text: expect.stringMatching(/is not a valid expression: /) });
  });

  it('survives catastrophic backtracking, warns about it, and remains responsive', async () => {
    let ticks = 0;
    const clock = setInterval(() => (ticks += 1), 20);
    const began = performance.now();
    const answer = await answerTo(`Test /(a+)+$/ on:\naaa\n${'a'.repeat(60)}b\nlast`);
    clearInterval(clock);
    expect(performance.now() - began).toBeLessThan(3_000);
    expect(ticks).toBeGreaterThan(5);
    const { text } = answer as { text: string };
    expect(text).toContain('**Careful:** a repetition inside a repetition');
    expect(text).toContain('- `aaa`: matches `aaa`');
    expect(text).toContain('b`: took too long, stopped');
    expect(text).toContain('- `last`: not tried');
  });

  it('explains an expression token by token, with groups', async () => {
    const { text } = (await answerTo('Explain /^(?<year>\\d{4})-[a-z_]+?\\1(?=x|$)/i')) as { text: string };
    expect(text.split('\n')).toEqual([
      '- `^`: the start',
      '- `(?<year>`: group 1, named “year”, captures:',
      '  - `\\d{4}`: a digit, exactly 4 times',
      '- `-`: the character “-”',
      '- `[a-z_]+?`: one of a to z, “_”, once or more, as few as possible',
      '- `\\1`: the same text as group 1',
      '- `(?=`: only if this follows:',
      '  - `x`: the character “x”',
      '  - `|`: or',
      '  - `$`: the end',
      '- `i`: flag: upper and lower case match each other',
    ]);
  });

  it.each([
    [['AB-1234', 'XY-77'], '^[A-Z]{2}-\\d{2,4}$'],
    [['2026-11-26'], '^\\d{4}-\\d{2}-\\d{2}$'],
    [['a.b', 'c1'], '^(?:[a-z]\\.[a-z]|[a-z]\\d)$'],
    [['(x)', '[y]', '{z}|^$*+?\\'], null],
    [['Zoë 🎈', ' '], null],
  ])('builds an expression that matches its examples: %j', async (examples, expected) => {
    const source = build(examples);
    if (expected !== null) expect(source).toBe(expected);
    expect(await run({ source, flags: 'u' }, examples)).toEqual(examples.map((text) => [text]));
  });
});
