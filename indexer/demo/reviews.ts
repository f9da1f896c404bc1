import * as v from "valibot";
import { readTable, textSchema } from "../../src/place/read-table.ts";
import { buildMedia, type Media } from "./photos.ts";
import { compilePhrase } from "./phrases.ts";
import { createRandom, drawFromQuantiles, type Random } from "./random.ts";
import table from "./remarks.json" with { type: "json" };
import { removeMarks } from "./spelling.ts";
import type { Spot } from "./spot.ts";

const sentences = v.pipe(v.array(textSchema), v.minLength(1));

/** Sentences for four and five stars, for three, and for fewer. Made up and mild. */
const remarksOfMoodSchema = v.strictObject({ good: sentences, middling: sentences, bad: sentences });

/** The form of `remarks.json`: sentences about each topic, about any place, and by visitors from abroad. */
export const remarksSchema = v.strictObject({
  topics: v.record(v.string(), remarksOfMoodSchema),
  general: remarksOfMoodSchema,
  foreign: remarksOfMoodSchema,
});

const REMARKS = readTable("indexer/demo/remarks.json", remarksSchema, table);

/** The subject of the reviews of a kind of place. */
export type Topic = keyof typeof table.topics;

export const TOPICS = Object.keys(table.topics) as Topic[];

/** What people think of a place, in numbers. */
export interface Standing {
  /** 0 for unrated, else 1.0–5.0 with one decimal. */
  readonly rating: number;
  readonly reviews: number;
  /** The stars of all reviews when there are few. The rating is their mean. */
  readonly stars: readonly number[];
}

/** Ratings at every tenth from the worst place to the best: two thirds lie between 3.8 and 4.8. */
const RATING_QUANTILES = [2.3, 3.6, 3.9, 4.05, 4.2, 4.3, 4.4, 4.55, 4.7, 4.85, 5] as const;
/** Numbers of reviews at every twenty-fourth; a log-normal shape with a long tail. */
const REVIEW_QUANTILES = [
  1, 2, 3, 4, 6, 8, 10, 13, 16, 20, 25, 31, 38, 47, 58, 71, 88, 110, 140, 180, 240, 330, 480, 800, 2600,
] as const;
/** Up to this many reviews, the rating is computed from their stars, so that the two agree. */
const FEW_REVIEWS = 8;
const UNRATED: Standing = { rating: 0, reviews: 0, stars: [] };
/** The share of unrated places for kinds that do not set one. */
const USUAL_UNRATED = 0.15;

/** What a kind says about the opinions on its places. */
interface RatedKind {
  readonly mood?: number | undefined;
  readonly unrated?: number | undefined;
  readonly fame?: number | undefined;
}

/** What sets a place apart from others of its kind. */
interface Renown {
  /** How many times more reviews. */
  readonly fame: number;
  /** A well-known place has thousands of ratings, and good ones. */
  readonly isLandmark: boolean;
}

const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** The rating and the number of reviews of a place. */
export function drawStanding(kind: RatedKind, { fame, isLandmark }: Renown, random: Random): Standing {
  if (isLandmark) return drawLandmarkStanding(random);
  if (random.chance((kind.unrated ?? USUAL_UNRATED) / fame)) return UNRATED;
  const mean = drawFromQuantiles(RATING_QUANTILES, random) + (kind.mood ?? 0);
  const reviews = Math.max(
    1,
    Math.round(drawFromQuantiles(REVIEW_QUANTILES, random) * (kind.fame ?? 1) * fame),
  );
  if (reviews > FEW_REVIEWS)
    return { rating: oneDecimal(Math.min(5, Math.max(1.2, mean))), reviews, stars: [] };
  const stars = Array.from({ length: reviews }, () => drawStars(mean, random));
  return { rating: oneDecimal(stars.reduce((sum, star) => sum + star, 0) / reviews), reviews, stars };
}

function drawLandmarkStanding(random: Random): Standing {
  return {
    rating: oneDecimal(3.9 + 0.8 * random.fraction()),
    reviews: random.between(900, 14_000),
    stars: [],
  };
}

/** Few people give three stars: a single opinion scatters widely around the mean, mostly upwards. */
function drawStars(mean: number, random: Random): number {
  if (random.chance(0.12)) return random.between(1, 3);
  return Math.min(5, Math.max(1, Math.round(mean + 0.3 + random.bell() * 0.7)));
}

/**
 * Distributes stars over the shown reviews: their mean is as close to the rating as whole stars allow, and
 * the spread does not change it.
 */
function spreadStars(rating: number, count: number, random: Random): number[] {
  const total = Math.min(5 * count, Math.max(count, Math.round(rating * count)));
  const low = Math.floor(total / count);
  const higher = total - low * count;
  const stars = Array.from({ length: count }, (_, index) => low + (index < higher ? 1 : 0));
  for (let turn = 0; turn < count; turn += 1) moveOneStar(stars, random);
  return stars;
}

function moveOneStar(stars: number[], random: Random): void {
  const from = random.below(stars.length);
  const to = random.below(stars.length);
  if (from === to || stars[from]! <= 1 || stars[to]! >= 5) return;
  stars[from]! -= 1;
  stars[to]! += 1;
}

/** One element of the `review_list` of a record. */
export interface Review {
  readonly review_id: string;
  readonly author_name: string;
  readonly author_profile_pic: string;
  readonly rating: number;
  readonly text: string;
  readonly photos: readonly Media[];
}

/** How many reviews a record has at most: the API shows only the first few. */
const MOST_REVIEWS = 8;
/** The number of authors in a dataset. An author has the same name everywhere. */
const AUTHORS = 90_000;
/** The authors are the same for every seed. */
const AUTHOR_SEED = 2025;
const PEOPLE = "https://example.com/people";

const authorRandom = createRandom(AUTHOR_SEED);
const AUTHOR_NAMES = [
  "{person}",
  "{person}",
  "{person}",
  "{person}",
  "{surname} {given}",
  "{middleFemale2} {female}",
  "{middleMale2} {male}",
  "{given} {surname}",
  "{female} {female}",
  "{male} {surname}",
  "{given}",
  "Bé {given}",
  "{given} {lucky}",
  "Mẹ {given}",
].map(compilePhrase);
/** One in this many authors comes from abroad. */
const FOREIGNER_EVERY = 16;
const FOREIGN_NAME = compilePhrase("{foreignFirst} {foreignLast}");

/** Draws the shown reviews of a place: at most eight, with stars whose mean is its rating. */
export function drawReviews(
  place: { number: number; spot: Spot; topic: Topic; standing: Standing },
  random: Random,
): readonly Review[] {
  const { number, spot, topic, standing } = place;
  const count = Math.min(standing.reviews, random.between(1, MOST_REVIEWS));
  // When there are few reviews, all are shown: the rating was computed from their stars.
  const stars = standing.stars.length > 0 ? standing.stars : spreadStars(standing.rating, count, random);
  const used = new Set<string>();
  return stars.map((star, index) => {
    const author = random.below(AUTHORS);
    return {
      review_id: `${number.toString(36)}-r${index + 1}`,
      author_name: authorName(author, spot),
      author_profile_pic: `${PEOPLE}/${author}.jpg`,
      rating: star,
      text: reviewText({ star, topic, author, used }, random),
      photos: random.chance(0.12) ? [buildMedia(number, `r${index + 1}`, random)] : [],
    };
  });
}

function authorName(author: number, spot: Spot): string {
  authorRandom.restart(author);
  const scene = { random: authorRandom, spot, brand: "" };
  if (author % FOREIGNER_EVERY === 0) return FOREIGN_NAME(scene);
  const name = authorRandom.pick(AUTHOR_NAMES)(scene);
  return authorRandom.chance(0.25) ? removeMarks(name) : name;
}

interface Opinion {
  readonly star: number;
  readonly topic: Topic;
  readonly author: number;
  /** The sentences that other reviews of the place contain. */
  readonly used: Set<string>;
}

/** Some reviews have only stars; others have a general sentence, one about the topic, or both. */
function reviewText({ star, topic, author, used }: Opinion, random: Random): string {
  const mood = star >= 4 ? "good" : star === 3 ? "middling" : "bad";
  const say = (sentences: readonly string[]) => pickUnused(sentences, used, random);
  const draw = random.below(100);
  if (draw < 9) return "";
  if (author % FOREIGNER_EVERY === 0) return say(REMARKS.foreign[mood]);
  if (draw < 22) return informal(say(REMARKS.general[mood]), random);
  const first = say(REMARKS.topics[topic]![mood]);
  if (draw < 55) return informal(first, random);
  return informal(
    `${first} ${say(draw < 72 ? REMARKS.general[mood] : REMARKS.topics[topic]![mood])}`,
    random,
  );
}

/** Picks an unused sentence. Once all are used, sentences repeat. */
function pickUnused(sentences: readonly string[], used: Set<string>, random: Random): string {
  const start = random.below(sentences.length);
  const unused = sentences.findIndex((_, index) => !used.has(sentences[(start + index) % sentences.length]!));
  const sentence = sentences[(start + Math.max(0, unused)) % sentences.length]!;
  used.add(sentence);
  return sentence;
}

/** Text as typed on a phone: sometimes without marks, without a capital, or without a full stop. */
function informal(text: string, random: Random): string {
  const draw = random.below(100);
  if (draw < 8) return removeMarks(text).toLowerCase();
  if (draw < 18) return text.toLowerCase();
  return draw < 35 && text.endsWith(".") ? text.slice(0, -1) : text;
}
