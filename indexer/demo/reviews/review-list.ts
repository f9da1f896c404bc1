import { compilePhrase } from "../names/phrase.ts";
import { removeMarks } from "../names/spelling.ts";
import { buildMedia, type Media } from "../photos.ts";
import { createRandom, type Random } from "../random.ts";
import { spreadStars, type Standing } from "../rating.ts";
import type { Spot } from "../spot.ts";
import { FOREIGN, GENERAL, REMARKS, type Topic } from "./remarks.ts";

/** One element of the `review_list` of a record. */
export interface Review {
  readonly review_id: string;
  readonly author_name: string;
  readonly author_profile_pic: string;
  readonly rating: number;
  readonly text: string;
  readonly photos: readonly Media[];
}

/** At most so many reviews come with a record, as the API shows only the first few. */
const MOST_REVIEWS = 8;
/** So many people write all the reviews of a gazetteer; the same person has the same name everywhere. */
const AUTHORS = 90_000;
/** The people are the same for every seed. */
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
/** One author in so many comes from abroad. */
const FOREIGNER_EVERY = 16;
const FOREIGN_NAME = compilePhrase("{foreignFirst} {foreignLast}");

/** The shown reviews of a place: at most eight, with stars whose mean is its rating. */
export function drawReviews(
  place: { number: number; spot: Spot; topic: Topic; standing: Standing },
  random: Random,
): readonly Review[] {
  const { number, spot, topic, standing } = place;
  const count = Math.min(standing.reviews, random.between(1, MOST_REVIEWS));
  // With few reviews all are shown: their stars made the rating.
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
  /** The sentences that others have written about the place. */
  readonly used: Set<string>;
}

/** Some leave only stars; others a general word, a sentence on the matter, or both. */
function reviewText({ star, topic, author, used }: Opinion, random: Random): string {
  const mood = star >= 4 ? "good" : star === 3 ? "middling" : "bad";
  const say = (sentences: readonly string[]) => pickUnused(sentences, used, random);
  const draw = random.below(100);
  if (draw < 9) return "";
  if (author % FOREIGNER_EVERY === 0) return say(FOREIGN[mood]);
  if (draw < 22) return informal(say(GENERAL[mood]), random);
  const first = say(REMARKS[topic][mood]);
  if (draw < 55) return informal(first, random);
  return informal(`${first} ${say(draw < 72 ? GENERAL[mood] : REMARKS[topic][mood])}`, random);
}

/** Two people seldom use the same words; when the words have run out, somebody does. */
function pickUnused(sentences: readonly string[], used: Set<string>, random: Random): string {
  const start = random.below(sentences.length);
  const unused = sentences.findIndex((_, index) => !used.has(sentences[(start + index) % sentences.length]!));
  const sentence = sentences[(start + Math.max(0, unused)) % sentences.length]!;
  used.add(sentence);
  return sentence;
}

/** As typed on a phone: at times without marks, without a capital, or without a full stop. */
function informal(text: string, random: Random): string {
  const draw = random.below(100);
  if (draw < 8) return removeMarks(text).toLowerCase();
  if (draw < 18) return text.toLowerCase();
  return draw < 35 && text.endsWith(".") ? text.slice(0, -1) : text;
}
