import { mountUnder } from '@/lib/endpoints/mount';

export const GET = mountUnder('GET', '/agents/:slug/a2a/rest');
export const POST = mountUnder('POST', '/agents/:slug/a2a/rest');
export const DELETE = mountUnder('DELETE', '/agents/:slug/a2a/rest');
