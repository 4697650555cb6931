/** Alternative wordings of the most frequent sentences. */
const others: Record<string, string> = {
  'I did not understand that.': 'Sorry, I did not get that either.',
  'Thank you.': 'Very well.',
  'Please review the cart.': 'Please check the cart before you pay.',
  'What would you like to eat?': 'Which pizza would you like?',
  'Where should we deliver?': 'What is the delivery address?',
  'Thank you, the payment has arrived.': 'We have received your payment, thank you.',
  'Tell me in words what you would like to eat.': 'Please write down which pizza you would like.',
  'No cart is open right now.': 'There is still no open cart.',
};
const rewordings = new Map(
  Object.entries(others).flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ]) as [string, string][],
);

/**
 * Rewords the sentences of a text that the previous text contains too, so that no sentence is repeated. Rows of lists
 * and tables are not sentences.
 */
export function unlike(before: string, text: string): string {
  const previous = new Set(piecesOf(before).filter(isSentence));
  return piecesOf(text)
    .map((piece) => (isSentence(piece) && previous.has(piece) ? reword(piece) : piece))
    .join('');
}

/** Splits a text into sentences and the white space between them. */
function piecesOf(text: string): string[] {
  return text.split(/((?<=[.!?])\s+|\n+)/);
}

function isSentence(piece: string): boolean {
  return /\p{L}/u.test(piece) && !/^\s*(?:[-*|#]|\d+\.)/.test(piece);
}

const again = 'Once more – ';

function reword(sentence: string): string {
  if (sentence.startsWith(again)) return sentence.slice(again.length);
  return rewordings.get(sentence) ?? `${again}${sentence}`;
}
