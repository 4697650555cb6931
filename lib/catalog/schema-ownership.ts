import { z } from 'zod';
import { time } from '../platform/schema';

/** The proof that an owner controls their agent's host: a TXT record or a file. */
const ownershipProofSchema = z.object({
  host: z.string(),
  text: z.string().describe('The value of the TXT record, or a line of the file'),
  /** The TXT record's name; null when the host is an IP address. */
  dnsName: z.string().nullable(),
  fileUrl: z.string(),
});
export type OwnershipProof = z.infer<typeof ownershipProofSchema>;

/** `GET /api/agents/{slug}/ownership`. */
export const ownershipSchema = z.object({
  proof: ownershipProofSchema,
  /** Null until the proof is found. */
  proved: z
    .object({ method: z.enum(['dns', 'file']), at: time, checkedAt: time, missingSince: time.nullable() })
    .nullable(),
});
export type OwnershipView = z.infer<typeof ownershipSchema>;
