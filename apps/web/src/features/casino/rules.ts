/**
 * The rules of the tables as the browser needs them: layout, words, and the proof of a round. A chunk of its own, loaded
 * beside the screen (use-rules.ts); everything else of this folder imports types of the package only.
 */
export { describe, exposureOf, gameOf, isTableCode, mostOf, paysByHand, riskOf, verifyRound } from '@fairgame/casino';
