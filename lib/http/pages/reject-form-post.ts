/** Forms on pages are a few words; the sign-in and settings of people go to `/api`. */
const maxFormBytes = 65_536;

/**
 * The refusal of a form that a page could not read, as a status and what to say; null when it may go on. Next answers 500 to a
 * multipart form that is broken, and has no limit of its own.
 */
export async function rejectFormPost(request: Request): Promise<{ status: 400 | 413; text: string } | null> {
  const { headers } = request;
  if (request.method !== 'POST' || !/^multipart\/form-data/i.test(headers.get('content-type') ?? '')) return null;
  const bytes = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  if (!(bytes <= maxFormBytes)) return { status: 413, text: `Expected a form of at most ${maxFormBytes} bytes.` };
  try {
    await request.clone().formData();
    return null;
  } catch {
    return { status: 400, text: 'Expected a whole form as its Content-Type says.' };
  }
}
