import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { expect, test } from 'vitest';
import { texts } from '@/lib/texts/en';

const countable =
  /^ (?:more |open |failed |other |earlier )?(agents|attempts|calls|characters|checks|days|entries|files|hours|items|messages|minutes|orders|parts|payments|people|points|reports|reviews|rows|seconds|skills|stars|tasks|times|users|versions|votes)\b/;

/** Arguments that are constants above 1, a total that is shown only above 1, or the ID of an agent. */
const neverOne = new Set([
  'account.passwordForm.passwordHint',
  'account.resetForm.passwordHint',
  'account.signUpForm.passwordHint',
  'chat.attachments.tooMany',
  'chat.chain.calls',
  'chat.queue.full',
  'console.noticeForm.textHint',
  'console.pages.calls.titleOf',
  'docs.schemaTree.length',
  'market.agentFigures.days',
  'market.compareToggle.full',
  'market.compareToggle.announced',
  'market.compareView.tooMany',
  'market.compareView.emptyHow',
  'market.publisherView.showAll',
  'market.rankingView.maintenance',
  'market.rankingView.withheld',
  'market.reliability.uptimeNote',
  'market.reliability.answersInNote',
  'market.reliability.usersNote',
  'market.reliability.doneNote',
  'market.resultBar.moreThan',
  'parts.dataRows.showFirst',
  'parts.dataRows.showAll',
  'parts.dataRows.total',
]);

function messagesOf(value: object, above = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [[above + key, inner] as [string, string]] : messagesOf(inner, `${above}${key}.`),
  );
}

/** Counts outside of a plural, each with its following noun. */
function looseCounts(elements: MessageFormatElement[]): string[] {
  return elements.flatMap((element, index) => {
    if (element.type === TYPE.tag) return looseCounts(element.children);
    if (element.type === TYPE.select) return Object.values(element.options).flatMap(({ value }) => looseCounts(value));
    const next = elements[index + 1];
    if (element.type !== TYPE.argument && element.type !== TYPE.number) return [];
    const found = next?.type === TYPE.literal ? countable.exec(next.value) : null;
    return found ? [`{${element.value}}${found[0]}`] : [];
  });
}

test('every count before a noun selects the noun’s form: one check, two checks', () => {
  const loose = messagesOf(texts)
    .filter(([key]) => !neverOne.has(key))
    .flatMap(([key, text]) => looseCounts(parse(text)).map((found) => `${key}: ${found}`));
  expect(loose).toEqual([]);
});
