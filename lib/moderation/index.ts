export { appealCase, findOwnCase, getOwnCase } from './appeal-case';
export { decideCases } from './decide-cases';
export { getCase, listCases } from './list-cases';
export { listOwnReports } from './list-own-reports';
export { getReceipt, reportTarget } from './report-target';
export { eraseModeration } from './store/cases';
export { tellPeople } from './tell-people';
