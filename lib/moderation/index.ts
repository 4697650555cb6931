export { appealCase, findOwnCase, getOwnCase } from './appeal-case';
export { decideCases } from './decide-cases';
export { getCase, listCases } from './list-cases';
export { listOwnAppeals, listOwnReports } from './list-own-reports';
export { getReceipt, reportTarget } from './report-target';
export { sendDecisionEmails } from './send-decision-emails';
export { eraseModeration, selectTakenDown } from './store/erase-moderation';
