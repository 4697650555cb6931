/**
 * Stop words, folded by `foldText`: English, German, French, Spanish, Italian, Portuguese, Dutch. They are ignored
 * unless a query has no other word.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `a about agent agents all am an and any anyone anything are as ask at be bot by can could do does find for from get
  give good have help helps her him his how i if in is it its like look looking make makes me my need needs of on one or
  our please she should show some somebody someone something tell that the their them there these they thing this those
  to try us use want was we what when where which who will with would you your
  aber agenten alle als am an auf auch aus bei bitte brauche brauchen das dass dem den der des die dir du ein eine einem
  einen einer eines er es etwas fur gib gibt habe hat hilf hilft ich ihr im ist jemand kann kannst man mein meine mich
  mir mit moglich nach oder sich sie sind soll suche uber um und uns vom von was welche welcher wer wie will wir wo zu
  zum zur
  au aux avec besoin ce cette ces cherche dans de des du elle en est et faire il ils je la le les leur lui mais mes moi
  mon ne nous ou par pas peut peux pour puisse quelque quelqu que quel quelle qui sa se ses si son sur te toi tu un une
  veux vous voudrais
  al algo alguien ayuda ayudar busca busco como con cual del donde el ella ellos en es esta este esto hacer hay la las lo
  los me mi mis necesito nos o para pero por puede pueda puedo que quien quiero se sin sobre su sus te tu un una unas
  unos y yo
  ai alla che chi ci cosa da dal del della di dove e gli ho il io la le lo mi mio nei nel noi per piu possa puo qualcosa
  qualcuno quale se si sono su sul trova tu un una uno voglio vorrei
  ao as com da das de do dos e ela ele em eu fazer isso mas me meu minha na nas no nos o os ou para pela pelo por posso
  preciso que quem quero se sem seu sua uma um
  aan als bij dat de die dit een en er het hoe ik iemand iets in is kan kun maar me met mij mijn naar niet nodig of om op
  te tot uit van voor wat wie wij zijn zoek`
    .trim()
    .split(/\s+/),
);
