import { sha256 } from '../platform/crypto';
import { newId } from '../platform/ids';
import { truncate } from '../platform/truncate';
import type { CoreCard } from '../protocol/a2a/core/card';
import { badgesOf } from './badges';
import type { CheckedCard } from './check-card';
import type { Validators } from './fetch-card';
import type { AgentRecord } from './record';
import type { SignatureVerdict } from './schema';

/** A fetched card, as one version of an agent. */
export interface CardVersion {
  id: string;
  digest: string;
  cardUrl: string;
  bytes: Buffer;
  card: CoreCard;
  signature: SignatureVerdict;
  fetchedAt: Date;
  validators: Validators;
}

export function toCardVersion(checked: CheckedCard, card: CoreCard, fetchedAt: Date): CardVersion {
  const { bytes, cardUrl, signature, validators } = checked;
  return { id: newId('ver'), digest: sha256(bytes), cardUrl, bytes, card, signature, fetchedAt, validators };
}

/** Most characters that lists and search show of a card's name, version and description. */
const maxLengths = { name: 80, version: 60, description: 2_000 };

/** What an agent's row repeats of its card, for lists: the beginning of long texts. The badge of what its owner has proved comes when it is written. */
export function summaryFieldsOf({
  card,
  signature,
}: Pick<CardVersion, 'card' | 'signature'>): Pick<AgentRecord, 'name' | 'description' | 'version' | 'badges'> {
  return {
    name: truncate(card.name, maxLengths.name),
    description: truncate(card.description, maxLengths.description),
    version: truncate(card.version, maxLengths.version),
    badges: badgesOf(card, signature),
  };
}
