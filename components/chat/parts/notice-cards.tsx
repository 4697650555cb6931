import { type ReactNode, useMemo } from 'react';
import type { JsonValue } from '../../../lib/protocol/json';
import { Badge } from '../../ui/badge';
import { InfoIcon } from '../../ui/icons';
import { CardFrame } from './card-frame';
import { FactList } from './fact-list';
import { JsonCard } from './json-card';
import { MarkedText } from './marked-text';
import { readAddress, readChallenge, readIntent, readMethodData, readX402 } from './read-notice';

interface NoticeProps {
  value: JsonValue;
}

/** What an agent says it was told to buy. To be read, not to be acted on. */
export function IntentCard({ value }: NoticeProps): ReactNode {
  const intent = useMemo(() => readIntent(value), [value]);
  if (!intent) return <JsonCard value={value} />;
  return (
    <CardFrame className="space-y-3 p-4" label="Intent">
      <CardTitle badge={intent.mayBuyAlone ? 'May buy without asking' : 'Asks before it buys'} title="Wants to buy" />
      <p className="[overflow-wrap:anywhere]">
        <MarkedText text={intent.description} />
      </p>
      <FactList facts={intent.facts} />
      <p className="text-xs text-muted">
        Written by the agent. Parley acts on no intent: you approve each payment yourself.
      </p>
    </CardFrame>
  );
}

/** Ways to pay that a merchant names. Parley asks for the payment itself, so there is nothing to fill in. */
export function MethodDataCard({ value }: NoticeProps): ReactNode {
  const facts = useMemo(() => readMethodData(value), [value]);
  if (facts.length === 0) return <JsonCard value={value} />;
  return (
    <CardFrame className="space-y-3 p-4" label="Ways to pay">
      <CardTitle title="The merchant takes" />
      <FactList facts={facts} />
      <p className="text-xs text-muted">Never write the number of a card into a chat. You pay from the cart.</p>
    </CardFrame>
  );
}

/** An address that an agent has understood or asks about. */
export function AddressCard({ value }: NoticeProps): ReactNode {
  const facts = useMemo(() => readAddress(value), [value]);
  if (facts.length === 0) return <JsonCard value={value} />;
  return (
    <CardFrame className="space-y-3 p-4" label="Address">
      <CardTitle title="Address" />
      <FactList facts={facts} />
      <p className="text-xs text-muted">As the agent has it. Tell the agent if it is wrong.</p>
    </CardFrame>
  );
}

/** What a merchant wants to be done elsewhere. There is no field: codes of a bank belong on its own page alone. */
export function ChallengeCard({ value }: NoticeProps): ReactNode {
  const text = useMemo(() => readChallenge(value), [value]);
  return (
    <CardFrame className="space-y-2 p-4" label="Action needed">
      <CardTitle badge="Action needed" title="The merchant asks you to do something" />
      <p className="[overflow-wrap:anywhere]">{text === null ? 'It does not say what.' : <MarkedText text={text} />}</p>
      <p className="flex gap-2 text-xs">
        <InfoIcon className="mt-0.5 shrink-0 text-warn" size={14} />
        Never write a code, a card number or a password into a chat, whoever asks for it. Enter it only on the page or
        in the app of your bank.
      </p>
    </CardFrame>
  );
}

/** Terms of a way to pay that Parley does not offer. */
export function X402Card({ value }: NoticeProps): ReactNode {
  const facts = useMemo(() => readX402(value), [value]);
  return (
    <CardFrame className="space-y-3 p-4" label="Needs x402">
      <CardTitle badge="Not payable here" title="This agent wants to be paid by x402" />
      <FactList facts={facts} />
      <p className="text-xs text-muted">Parley does not pay by x402 and signs nothing of it.</p>
    </CardFrame>
  );
}

function CardTitle({ title, badge }: { title: string; badge?: string }): ReactNode {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
      <p className="font-semibold">{title}</p>
      {badge ? <Badge tone="warn">{badge}</Badge> : null}
    </div>
  );
}
