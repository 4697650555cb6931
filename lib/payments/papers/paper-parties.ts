import { findUser } from '../../identity';
import { env } from '../../platform/runtime/env';
import { currentRail } from '../charges/stripe-mode';
import type { BillingRole, Party } from '../schema-income';
import { toAgentName } from '../sellers/agent-names';
import type { PaperSource } from '../store/papers/paper-sources';
import { type BillingParty, findBillingParties, findTaxRates } from '../store/papers/tax-rows';
import { findSellerAccount } from '../store/payouts/seller-rows';
import { taxTermsOf } from '../tax/tax-rules';
import { type InvoiceTerms, plainText } from './paper-content';

/** The issuer of a paper if the platform owes the tax. */
export const PLATFORM = 'parley';

interface KnownParties {
  billing: BillingParty[];
  sellers: Map<string, Party>;
  agents: Map<string, string>;
  rates: Awaited<ReturnType<typeof findTaxRates>>;
}

/** Reads what invoices state about the parties of sales, as it is now. */
export class PaperParties {
  private constructor(private readonly known: KnownParties) {}

  /** Reads the parties of these sales, outside of the transaction that locks their earnings. */
  static async read(sources: PaperSource[]): Promise<PaperParties> {
    const userIds = sources.flatMap(({ sellerId, buyerId }) => [sellerId, ...(buyerId === null ? [] : [buyerId])]);
    const billing = await findBillingParties([...new Set(userIds)]);
    const sellers = new Map<string, Party>();
    for (const sellerId of new Set(sources.map((source) => source.sellerId))) {
      sellers.set(sellerId, partyIn(billing, sellerId, 'seller') ?? (await readSeller(sellerId)));
    }
    const agents = new Map<string, string>();
    for (const agentId of new Set(sources.map((source) => source.agentId)))
      agents.set(agentId, plainText((await toAgentName(agentId)).name));
    return new PaperParties({ billing, sellers, agents, rates: await findTaxRates() });
  }

  /** Returns the parties and the tax of the invoice of a sale. */
  termsOf({ sellerId, buyerId, agentId, saleKind, capturedAt }: PaperSource): InvoiceTerms {
    const { billing, sellers, agents, rates } = this.known;
    const isPlatform = env().TAX_LIABLE === 'platform';
    const seller = sellers.get(sellerId) ?? unnamed;
    const issuer = isPlatform ? platformParty() : seller;
    const buyer = buyerId === null ? null : partyIn(billing, buyerId, 'buyer');
    return {
      issuer,
      buyer,
      seller: isPlatform ? seller.name : null,
      agent: agents.get(agentId) ?? '',
      terms: taxTermsOf({ issuer, isPlatform, buyer, saleKind, at: capturedAt, rates }),
    };
  }
}

const unnamed: Party = { name: '–', street: '', postalCode: '', city: '', country: null, vatId: null };

function partyIn(billing: BillingParty[], userId: string, role: BillingRole): Party | null {
  const found = billing.find((party) => party.userId === userId && party.role === role);
  if (!found) return null;
  const { name, street, postalCode, city, country, vatId } = found.details;
  const [plainName, plainStreet, plainCode, plainCity] = [name, street, postalCode, city].map(plainText);
  return {
    name: plainName ?? '',
    street: plainStreet ?? '',
    postalCode: plainCode ?? '',
    city: plainCity ?? '',
    country,
    vatId,
  };
}

/** A seller without tax details has the name of the payouts, or of the account. */
async function readSeller(userId: string): Promise<Party> {
  const details = (await findSellerAccount({ userId, rail: currentRail() }))?.details;
  if (details) return { ...unnamed, name: plainText(details.legalName), country: details.country };
  const user = await findUser(userId);
  return { ...unnamed, name: plainText(user?.name ?? userId) };
}

function platformParty(): Party {
  const { PLATFORM_NAME = '', PLATFORM_ADDRESS = '', PLATFORM_COUNTRY = null, PLATFORM_VAT_ID = null } = env();
  return {
    ...unnamed,
    name: PLATFORM_NAME,
    street: PLATFORM_ADDRESS,
    country: PLATFORM_COUNTRY,
    vatId: PLATFORM_VAT_ID,
  };
}
