import type { StatusAnswer } from "../answers/status.ts";
import { language } from "./texts.ts";

type Status = StatusAnswer["status"];
type Check = Status["checks"][number];

const whole = new Intl.NumberFormat(language);

/** "1 place", "2,442 places"; `many` where an `s` is not enough. */
const count = (number: number, one: string, many = `${one}s`): string =>
  `${whole.format(number)} ${number === 1 ? one : many}`;

/** The texts of the status page in English. The server says in English what it has checked. */
const ENGLISH = {
  title: "Status",
  map: "Map",
  docs: "Docs",
  keyLabel: "Key with the scope admin",
  showStatus: "Show the status",
  createKey: "Create one with ",
  keyWithoutScope: "This key does not have the scope admin.",
  keyRefused: "This key is not accepted.",
  failed: (reason: string) => `The status could not be read. ${reason}`,
  returned: (status: number) => `The server returned ${status}.`,
  readAt: "Read ",
  readAgain: ", and again every minute.",
  allWell: "All is well",
  warning: "Please check",
  problem: "Needs attention",
  states: { ok: "OK: ", warning: "Warning: ", problem: "Problem: " },
  check: ({ text }: Check, _status: Status): string => text,
  unknown: "unknown",
  index: "Index and server",
  places: "Places",
  imported: "Imported",
  checked: "Last checked",
  documents: "Documents",
  form: "Version of the index",
  redis: { up: "up", down: "down", none: "none" },
  inUse: (size: string) => `${size} in use`,
  server: "Server",
  processes: (number: number) => count(number, "process", "processes"),
  since: "Running since",
  coverage: "Data coverage",
  sample: (number: number) => `From a sample of ${count(number, "place")}.`,
  field: (name: string): string => name,
  runs: "Last runs",
  runsUnknown: "Unknown, because Redis is not available.",
  none: "None yet.",
  runColumns: ["Started", "Command", "Result", "Records", "Took"],
  outcomes: { done: "done", failed: "failed", interrupted: "interrupted" },
  counted: (name: string): string => name,
  keys: "Keys",
  keysUnknown: "Unknown, because Redis is not available.",
  keyNumbers: (stored: number, configured: number) =>
    `${count(stored, "stored key")}, ${count(configured, "key")} in API_KEYS.`,
  keyColumns: ["Name", "State", "Scopes", "Last used", "Requests of seven days"],
  keyStates: { active: "active", expired: "expired", revoked: "revoked" },
  justNow: "just now",
  never: "never",
  requests: (number: number) => count(number, "request"),
  queries: "Queries",
  queriesOff: "QUERY_LOG=on counts the most frequent queries, and those without results.",
  noQueries: "No query of five or more callers.",
  frequent: (days: number) => `Most frequent queries of ${days} days`,
  empty: "Queries without results",
};

const FIELDS: Readonly<Record<string, string>> = {
  "a type other than PLACE": "loại khác PLACE",
  "an address": "địa chỉ",
  "a street": "tên đường",
  "a phone number": "số điện thoại",
  "a website": "trang web",
  "opening hours": "giờ mở cửa",
  "a rating": "điểm đánh giá",
  prices: "giá",
  "other names": "tên khác",
  features: "tiện ích",
  "a description": "mô tả",
  reviews: "bài đánh giá",
  photos: "ảnh",
};

const COUNTED: Readonly<Record<string, string>> = {
  read: "đã đọc",
  indexed: "đã ghi",
  rejected: "bị loại",
  skipped: "bỏ qua",
  merged: "đã gộp",
  applied: "đã áp dụng",
  written: "đã ghi",
  deleted: "đã xóa",
  new: "mới",
  changed: "thay đổi",
  unchanged: "giữ nguyên",
  gone: "không còn",
};

const INDEX_PROBLEMS: Readonly<Partial<Record<Status["index"]["state"], string>>> = {
  missing: "Chưa có chỉ mục. Hãy nhập dữ liệu địa điểm.",
  wrong_version: "Máy chủ này không đọc được phiên bản của chỉ mục. Hãy nhập lại dữ liệu.",
  damaged: "Dữ liệu của công cụ tìm kiếm bị hỏng. Xem thêm trong nhật ký.",
  unreachable: "Công cụ tìm kiếm không phản hồi.",
};

const REDIS_TEXTS: Readonly<Record<Status["redis"]["state"], string>> = {
  up: "Redis phản hồi và đếm yêu cầu cho mọi tiến trình.",
  down: "Redis không phản hồi. Mỗi tiến trình tự đếm yêu cầu.",
  none: "Không có Redis. Mỗi tiến trình tự đếm yêu cầu.",
};

const DAY_MS = 86_400_000;

/** What the server has checked, by its name. What has no text here stays as the server says it. */
const CHECKS: Readonly<Record<string, (status: Status, check: Check) => string | undefined>> = {
  index: ({ index }) =>
    INDEX_PROBLEMS[index.state] ??
    (index.places === 0 ? "Chỉ mục chưa có địa điểm nào." : "Chỉ mục đang hoạt động và tìm kiếm được."),
  age({ at, index }, { state }) {
    if (index.checked_at === null) return undefined;
    const days = Math.floor((Date.parse(at) - Date.parse(index.checked_at)) / DAY_MS);
    const age = days < 1 ? "chưa đến một ngày" : `${whole.format(days)} ngày`;
    return `Dữ liệu được nhập hoặc so với nguồn cách đây ${age}.${state === "ok" ? "" : " Hãy nhập dữ liệu mới hơn."}`;
  },
  redis: ({ redis }) => REDIS_TEXTS[redis.state],
  runs({ runs }) {
    const last = runs?.[0];
    if (last === undefined) return undefined;
    if (last.outcome === "done") return `Lần chạy ${last.command} gần nhất đã thành công.`;
    const how = last.outcome === "failed" ? "thất bại" : "bị ngắt";
    return `Lần chạy ${last.command} gần nhất ${how}. Danh sách các lần chạy cho biết lý do.`;
  },
};

const VIETNAMESE: typeof ENGLISH = {
  title: "Trạng thái",
  map: "Bản đồ",
  docs: "Tài liệu",
  keyLabel: "Khóa có quyền admin",
  showStatus: "Xem trạng thái",
  createKey: "Tạo khóa bằng lệnh ",
  keyWithoutScope: "Khóa này không có quyền admin.",
  keyRefused: "Khóa này không được chấp nhận.",
  failed: (reason) => `Không đọc được trạng thái. ${reason}`,
  returned: (status) => `Máy chủ trả về ${status}.`,
  readAt: "Đọc lúc ",
  readAgain: ", và đọc lại mỗi phút.",
  allWell: "Mọi thứ đều ổn",
  warning: "Nên xem lại",
  problem: "Cần xử lý",
  states: { ok: "Ổn: ", warning: "Cảnh báo: ", problem: "Sự cố: " },
  check: (check, status) => CHECKS[check.name]?.(status, check) ?? check.text,
  unknown: "chưa biết",
  index: "Chỉ mục và máy chủ",
  places: "Địa điểm",
  imported: "Nhập lúc",
  checked: "Kiểm tra lần cuối",
  documents: "Tài liệu trong chỉ mục",
  form: "Phiên bản chỉ mục",
  redis: { up: "hoạt động", down: "không phản hồi", none: "không có" },
  inUse: (size) => `đang dùng ${size}`,
  server: "Máy chủ",
  processes: (number) => `${whole.format(number)} tiến trình`,
  since: "Chạy từ",
  coverage: "Mức độ đầy đủ của dữ liệu",
  sample: (number) => `Theo mẫu ${whole.format(number)} địa điểm.`,
  field: (name) => FIELDS[name] ?? name,
  runs: "Các lần chạy gần đây",
  runsUnknown: "Chưa biết: thông tin này lưu trong Redis.",
  none: "Chưa có lần nào.",
  runColumns: ["Bắt đầu", "Lệnh", "Kết quả", "Bản ghi", "Thời gian"],
  outcomes: { done: "xong", failed: "thất bại", interrupted: "bị ngắt" },
  counted: (name) => COUNTED[name] ?? name,
  keys: "Khóa",
  keysUnknown: "Chưa biết: khóa lưu trong Redis.",
  keyNumbers: (stored, configured) =>
    `${whole.format(stored)} khóa đã lưu, ${whole.format(configured)} khóa trong API_KEYS.`,
  keyColumns: ["Tên", "Trạng thái", "Quyền", "Dùng lần cuối", "Yêu cầu trong bảy ngày"],
  keyStates: { active: "hoạt động", expired: "hết hạn", revoked: "đã thu hồi" },
  justNow: "vừa xong",
  never: "chưa bao giờ",
  requests: (number) => `${whole.format(number)} yêu cầu`,
  queries: "Truy vấn",
  queriesOff: "QUERY_LOG=on đếm các truy vấn thường gặp nhất và các truy vấn không có kết quả.",
  noQueries: "Chưa có truy vấn nào của ít nhất năm người gọi.",
  frequent: (days) => `Truy vấn thường gặp nhất trong ${days} ngày`,
  empty: "Truy vấn không có kết quả",
};

export const statusTexts = language === "vi" ? VIETNAMESE : ENGLISH;
