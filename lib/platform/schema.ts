// Members that the response schemas of several domains share.
import { z } from 'zod';

/** ISO 8601, in UTC. */
export const time = z.iso.datetime();

/** A reference to an agent in other responses. */
export const agentName = z.object({ slug: z.string(), name: z.string() });

/** Returns a complete list, without pages. */
export function listOf<Item extends z.ZodType>(item: Item): z.ZodObject<{ items: z.ZodArray<Item> }> {
  return z.object({ items: z.array(item) });
}

/** Returns a page of a list; `nextCursor` is null on the last page. */
export function pageOf<Item extends z.ZodType>(
  item: Item,
): z.ZodObject<{ items: z.ZodArray<Item>; nextCursor: z.ZodNullable<z.ZodString> }> {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

/** A JSON object whose members are documented elsewhere. */
export const anyObject = z.looseObject({});
