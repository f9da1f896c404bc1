/* oxlint-disable max-lines -- word lists */

/**
 * The vocabulary of names and texts. Each list is split by `|`; an entry may itself hold slots in braces. A slot with a version
 * for a region (`owner@north`) is taken from that region's list where there is one.
 */
export const WORDS = {
  foreignFirst:
    "James|Sophie|Daniel|Olivia|Lucas|Anna|Mark|Emma|Hannah|Tom|Priya|Michael|Laura|David|Sarah|Peter|Nina|Chris|Julia|Paul|Kate|Ben|Marie|Andrew|Yuki|Minji|Kenji|Jisoo|Wei|Mei|Somchai|Arif",
  foreignLast:
    "W.|T.|K.|B.|M.|S.|L.|P.|Smith|Brown|Martin|Becker|Moreau|Johansson|Fischer|Nair|Tanaka|Kim|Lee|Chen|Wong|Garcia|Rossi|Novak|Jones|Walker|Dubois|Meyer|Sato|Park",
  surname:
    "Nguyễn|Nguyễn|Nguyễn|Nguyễn|Trần|Trần|Lê|Lê|Phạm|Phạm|Hoàng|Huỳnh|Huỳnh|Phan|Vũ|Võ|Võ|Đặng|Bùi|Đỗ|Hồ|Ngô|Dương|Lý|Đinh|Trương|Lâm|Mai|Tô|Châu|Cao|Tạ|Đoàn|Lương|Thái|Quách",
  male: "Anh|Bảo|Bình|Chiến|Cường|Đạt|Dũng|Duy|Đức|Giang|Hải|Hậu|Hiếu|Hòa|Hoàng|Hùng|Huy|Hưng|Khánh|Khang|Khoa|Kiên|Lâm|Lộc|Long|Minh|Nam|Nghĩa|Nhân|Nhật|Phát|Phong|Phú|Phúc|Quân|Quang|Quốc|Quý|Sang|Sơn|Tài|Tâm|Tân|Thắng|Thành|Thiện|Thịnh|Thuận|Tiến|Tín|Toàn|Trí|Trung|Trường|Tú|Tuấn|Tùng|Việt|Vinh|Vũ|Vương",
  female:
    "Ái|An|Ánh|Bích|Châu|Chi|Cúc|Diễm|Diệp|Diệu|Dung|Duyên|Giang|Hà|Hạnh|Hằng|Hân|Hiền|Hoa|Hồng|Huệ|Hương|Hường|Khanh|Lan|Lành|Lê|Liên|Linh|Loan|Ly|Mai|Mỹ|My|Nga|Ngân|Ngọc|Nguyệt|Nhàn|Nhi|Nhung|Oanh|Phượng|Phương|Quỳnh|Quyên|Sương|Tâm|Thanh|Thảo|Thi|Thơ|Thu|Thủy|Thúy|Thư|Tiên|Trâm|Trang|Trinh|Trúc|Tuyền|Tuyết|Uyên|Vân|Vy|Xuân|Yến",
  middleMale:
    "Văn|Văn|Hữu|Đức|Minh|Quốc|Thanh|Công|Gia|Hoàng|Anh|Ngọc|Xuân|Đình|Quang|Tuấn|Trọng|Thành|Bá|Duy",
  middleFemale:
    "Thị|Thị|Thị|Ngọc|Thanh|Thu|Kim|Bích|Minh|Mỹ|Thùy|Hồng|Phương|Khánh|Thảo|Như|Bảo|Hoài|Tuyết|Cẩm",
  given: "{male}|{female}",
  person: "{surname} {middleMale} {male}|{surname} {middleFemale} {female}",
  twoNames: "{middleFemale2} {female}|{middleMale2} {male}|{middleFemale2} {female}",
  middleFemale2:
    "Ngọc|Thanh|Thu|Kim|Bích|Minh|Mỹ|Thùy|Hồng|Phương|Khánh|Thảo|Bảo|Hoài|Tuyết|Cẩm|Ánh|Diễm|Hoàng|Trúc",
  middleMale2:
    "Hữu|Đức|Minh|Quốc|Thanh|Gia|Hoàng|Anh|Ngọc|Xuân|Quang|Tuấn|Trọng|Thành|Duy|Hùng|Tấn|Phú|Trung|Việt",
  luckFirst:
    "An|Bảo|Đại|Đức|Gia|Hải|Hoàng|Hồng|Hưng|Khải|Kim|Long|Minh|Nam|Ngọc|Nhật|Phú|Phúc|Phước|Quang|Quốc|Tân|Tấn|Thái|Thành|Thiên|Thịnh|Thuận|Tiến|Toàn|Trung|Trường|Tuấn|Vạn|Việt|Vĩnh|Xuân|Hiệp|Lộc|Đông",
  luckSecond:
    "An|Cường|Đạt|Đức|Gia|Hưng|Khang|Lộc|Lợi|Long|Minh|Nguyên|Phát|Phong|Phú|Phúc|Quang|Sơn|Tâm|Tài|Thắng|Thành|Thịnh|Thuận|Tiến|Tín|Vinh|Vượng|Hòa|Mỹ",
  prosperousWord:
    "Phát Đạt|Tài Lộc|Thịnh Vượng|Hưng Thịnh|Phước Thịnh|An Phát|Thành Công|Đại Phát|Kim Long|Hoàng Gia|Thiên Phú|Vạn Phúc|Minh Phát|Tân Phát|Gia Phát|Hòa Phát|Thuận Phát|Trường Phát|Đại Thành|Tân Thành|Hiệp Thành|Phú Thành|Đại Lợi|Tân Tiến|Toàn Thắng|Vĩnh Thịnh|Vĩnh Phát|Gia Hưng|Quang Minh|Hồng Phát|Long Thành|Bảo Tín|Ngọc Thịnh|Phú Quý|Phú Hưng|Khang Thịnh|An Khang|An Bình|Bình An|Thiên Ân|Hồng Ân|Nhật Tân|Đông Á|Đại Nam|Việt Tiến|Nam Việt|Tiến Đạt|Tiến Phát|Trí Đức|Đức Thành|Minh Khang|Gia Khang|Phúc An|Phúc Lộc|Song Phát|Nhất Tín|Hưng Phát|Nam Phát|Thái Bình|Thái Sơn|Hải Âu|Ánh Dương|Sao Mai|Bình Minh|Phương Đông|Phương Nam|Đất Việt|Trường An|Trường Thịnh|Tân Hưng|Tân Phú|Mỹ Hưng|Hoàng Long|Hoàng Phát",
  prosperous: "{luckFirst} {luckSecond}|{luckFirst} {luckSecond}|{prosperousWord}",
  keeper:
    "{given}|{given}|{twoNames}|{twoNames}|{twoNames}|{surname} {given}|{female} {female}|{male} {male}",
  ordinal: "Hai|Ba|Tư|Năm|Sáu|Bảy|Tám|Chín|Mười|Út",
  nick: "Mập|Lùn|Ghiền|Lành|Đẹt|Râu|Sạn|Đen|Ốm|Sẹo|Khùng|Hiền|Gà|Cua|Rô",
  owner:
    "Cô {ordinal}|Bà {ordinal}|Chú {ordinal}|Dì {ordinal}|Ông {ordinal}|Anh {ordinal}|Cô {female}|Chị {female}|Bà {female}|Anh {male}|Chú {male}|{ordinal} {nick}|Út {female}|{ordinal} {male}|{ordinal} {female}|{given}|{given}|{twoNames}|Má {ordinal}|Ngoại {ordinal}",
  "owner@central":
    "O {female}|Mệ {female}|Bà {female}|Cô {female}|Dì {female}|Chị {female}|Anh {male}|Chú {male}|Ông {male}|{given}|{given}|{twoNames}|Bà {ordinal}|Mụ {female}",
  "owner@north":
    "Bà {female}|Cô {female}|Chị {female}|Ông {male}|Anh {male}|Bác {male}|{given}|{given}|{given} Béo|{given} Còi|{twoNames}|{female} {male}|Cụ {male}|{given} Hói|Bà {female} Béo",
  town: "Nam Định|Hà Nội|Huế|Bình Định|Phú Yên|Nha Trang|Đà Nẵng|Quảng Nam|Quy Nhơn|Phan Rang|Tây Ninh|Bến Tre|Mỹ Tho|Sa Đéc|Cần Thơ|Cà Mau|Sóc Trăng|Bạc Liêu|Long Xuyên|Châu Đốc|Rạch Giá|Trà Vinh|Nghệ An|Thanh Hóa|Hải Phòng|Vũng Tàu|Đà Lạt|Phan Thiết",
  poemNoun:
    "Mây|Nắng|Gió|Mưa|Trăng|Sương|Phố|Nhà|Vườn|Sông|Biển|Đồi|Hoa|Lá|Cỏ|Tre|Gỗ|Đá|Bếp|Hiên|Ngõ|Chiều|Đêm|Sáng|Mùa|Góc|Gác|Trời|Suối|Rêu|Sen|Bờ|Quê|Thềm",
  poemMark:
    "Xanh|Vàng|Tím|Nhỏ|Cũ|Xưa|Sớm|Lặng|Nghiêng|Yên|Hồng|Trắng|Nâu|Ấm|Trong|Thơm|Hạ|Thu|Xuân|Vắng|Quê|Trưa|Mơ|An",
  poemVerb:
    "Hát|Ngủ|Bay|Rơi|Kể|Đợi|Về|Gọi|Lang Thang|Rong Chơi|Ngủ Quên|Thì Thầm|Ru|Bên Thềm|Trên Đồi|Đầu Ngõ|Cuối Phố|Phương Nam|Tháng Ba|Tháng Sáu|Tháng Chạp",
  poemWord:
    "Mộc|Lặng|Chiều|Mây|An Nhiên|Bình Yên|Thinh|Du Miên|Tịnh|Thong Dong|Miền Đồng Thảo|Phố Xưa|Gác Hoa|Lang Thang|Ký Ức|Hoài Niệm|Hoài Cổ|Cuối Ngõ|Vợt Sài Gòn|Giọt Đắng|Giọt Nắng|Ngày Nắng|Thương|Nhớ|Chốn Cũ|Mộc Miên|Mộc Nhiên|Trầm|Trầm Mặc|Sỏi Đá|Cát Đằng|Ban Mai|Hoàng Hôn|Tri Kỷ|Tri Âm|Bằng Lăng|Phượng Tím|Phong Linh|Dã Quỳ|Hoa Giấy|Thạch Thảo|Tigôn|Tường Vi|Bồ Công Anh|Lưu Ly|Oải Hương|Hướng Dương|Ngọc Lan|Hoa Sữa|Cây Bàng|Cây Xoài|Cây Khế|Dưới Tán Cây|Ngoài Hiên|Trên Mái|Gió Biển|Sóng|Thủy Trúc|Thủy Mộc|Sơn Ca|Chim Sẻ|Chuồn Chuồn|Đom Đóm|Con Ong|Bống|Tí Tách|Lách Cách|Một Góc|Một Chút|Ô Cửa|Bậc Thềm|Chậm|Chạm|Nâu|Xám|Gam|Khói|Đợi|Chờ|Hẹn|Thềm Xưa|Lối Nhỏ|Xóm Nhỏ|Xóm Vắng|Đông Phương|Thiên Thanh|Thiên Lý|Lam|Tử Đằng|Sala|Vô Thường|Vô Ưu|Như Ý|Tâm An|Tâm|Duyên|Cội|Rễ|Nguyệt|Nhật Nguyệt|Hồng Trà|Nhài|Sài|Sài Gòn Xưa|Hà Nội Phố|Đà Lạt Phố|Huế Thương|Tuổi Thơ|Bao Cấp|Thời Đại|Số 9|Đồng Dao|Du Ca|Vàng Son|Hương Xưa|Diễm Xưa|Hạ Trắng|Biển Nhớ|Phôi Pha|Tùng Lâm|Suối Mơ",
  poem: "{poemNoun} {poemMark}|{poemNoun} {poemMark}|{poemNoun} {poemVerb}|{poemWord}|{poemWord}",
  english1:
    "Little|Old|Blue|Green|Red|Black|White|Golden|Silver|Happy|Lucky|Sunny|Lazy|Slow|Secret|Hidden|Urban|Rainy|Rusty|Tiny|Wild|Velvet|Midnight|Morning|Sunday|Paper|Wooden|Copper|Indigo|Mellow|Modern|Royal|Simple|Quiet|Brave|Crazy|Funky|Cosmic|Humble|Fresh",
  english2:
    "House|Corner|Garden|Kitchen|Bean|Cat|Bear|Fox|Bird|Owl|Whale|Moon|Sun|Star|Leaf|Tree|Door|Window|Roof|Attic|Lantern|Lotus|Bamboo|Elephant|Turtle|Tiger|Rabbit|Koi|Monkey|Dragon|Bicycle|Piano|Record|Story|Letter|Clock|Lighthouse|Harbor|River|Alley|Factory|Room|Loft|Workshop|Nest|Cloud|Pine|Ember",
  hotelEnglish:
    "Sunrise|Sunshine|Golden Star|Silverland|Lotus|Pearl|Ruby|Diamond|Sapphire|Emerald|Blue Sky|Elegance|Grand|Royal|Central|Paradise|Riverside|Lavender|Orchid|Jasmine|Aurora|Liberty|Victory|Palace|Boutique|May|Happy Life|Bonsai|Bamboo|Sea Star|Dream|Harmony|Nature|Cherry|Hoang Gia|Thien Thanh|A25|Kim Do|Huong Sen|Ngoc Lan|Saigon Pearl|Ben Thanh|Viet|Asian|Indochine|Prince|Queen|King|Crystal|Moonlight",
  hotelWord:
    "{prosperous}|{prosperous}|Hoa {flower}|{twoNames}|{given}|Hoàng {given}|Sao {poemMark}|Ngọc {female}|Thiên {given}|Kim {female}|Phương {female}|Hương {female}|Thanh {female}|Bảo {given}|Mỹ {female}",
  flower: "Sen|Hồng|Mai|Đào|Cúc|Lan|Hướng Dương|Ban|Phượng|Sứ|Giấy|Sim|Lài|Đăng Tiêu",
  year: "1975|1980|1986|1988|1989|1990|1992|1995|1996|1998|1999|2000|2002|2005|1968|1954|1970|1978|1982|1984",
  lucky: "68|79|86|99|88|33|39|52|77|168|179|279|1989|2000|247|365|102|24|19|35|81|22|11|55|66|999|888",
  smallNumber: "1|2|3|4|5|6|7|8|9|10|11|12",
  capital: "A|B|C|D|G|H|K|L|M|N|P|Q|S|T|V|X|Y",
  lettersWord:
    "HT|PH|TK|MT|ABC|VN|Vina|Sao Việt|Á Châu|Đông Dương|Á Đông|Toàn Cầu|Sài Gòn|Việt Mỹ|Á Âu|Đại Việt|Nam Á|Trí Việt|Tân Việt|Sông Hàn|Sông Hồng|An Gia|HP|TNT|KD|AZ|Gia Định|Rồng Việt|Sen Việt|Hồng Hà|Thăng Long|Hà Thành|Miền Nam",
  letters: "{capital}{capital}|{capital}{capital}{capital}|{capital}{capital}|{lettersWord}",
  faculty:
    "Kinh tế|Công nghệ|Tài chính|Ngoại ngữ|Kiến trúc|Y Dược|Luật|Công nghiệp|Nông Lâm|Giao thông Vận tải|Văn hóa|Mỹ thuật|Thủy lợi|Xây dựng|Du lịch|Sư phạm|Điện lực|Hàng không",
  exhibit:
    "Áo dài|Y học cổ truyền|Gốm sứ|Tiền tệ|Thành phố|Phụ nữ|Địa chất|Hải dương học|Thư pháp|Cà phê|Tre|Xe cổ",
  tree: "Bàng|Phượng|Xoài|Khế|Mận|Dừa|Đa|Sứ|Trứng Cá|Bằng Lăng|Me|Vú Sữa|Sung|Gõ|Da Sà|Điệp|Sộp|Trâm|Bồ Đề|Ổi",
  sea: "Xanh|Đông|Bạc|Hồng|Vàng|Ngọc|Nhớ|Mặn|Quê",
  ocDish: "Ốc|Ốc|Quán Ốc|Ốc Đêm|Hải sản|Ốc - Hải sản",
  noodleOwner: "{owner}|{owner}|{twoNames}|{prosperous}|{lucky}|{houseNumber}|{street}",
  saint:
    "Thánh Giuse|Đức Mẹ Hằng Cứu Giúp|Thánh Phaolô|Thánh Tâm|Fatima|Vinh Sơn|Mẫu Tâm|Thánh Linh|Mân Côi|Lộ Đức|Kitô Vua|Thánh Gia|Thánh Martinô|Chúa Hiển Linh|Tân Phước|Tân Thành|Bùi Phát|Bùi Môn|Xóm Chiếu|Xóm Thuốc|Nam Hòa|Nghĩa Hòa|Sao Mai|Lạc Quang|Bắc Hà|Hàng Xanh|Thị Nghè|Chí Hòa|Tân Sa Châu|An Lạc|Khiết Tâm|Hòa Hưng|Vườn Xoài|Ba Chuông",
  temple: "Phước|Thiện|Long|Linh|Bửu|Pháp|Từ|Quang|Giác|Hưng|Tịnh|Vạn|Huệ|Kim|Viên|An|Bảo|Diệu|Đại|Minh",
  temple2:
    "Lâm|Sơn|Quang|Đức|Hòa|Thọ|Minh|Hải|Nghiêm|Tâm|Hoa|Phước|Quảng|Viên|Tường|Giác|Thiền|Pháp|Ân|Hạnh|Long",
  hero: "Nguyễn Du|Lê Quý Đôn|Nguyễn Huệ|Trần Hưng Đạo|Lý Thường Kiệt|Nguyễn Trãi|Lê Lợi|Hai Bà Trưng|Nguyễn Thái Học|Phan Bội Châu|Phan Chu Trinh|Nguyễn Khuyến|Nguyễn Bỉnh Khiêm|Lê Hồng Phong|Trần Phú|Võ Thị Sáu|Kim Đồng|Lê Văn Tám|Nguyễn Văn Trỗi|Nguyễn Thị Minh Khai|Trần Quốc Toản|Đinh Tiên Hoàng|Ngô Quyền|Quang Trung|Lê Lai|Chu Văn An|Lương Thế Vinh|Nguyễn Hiền|Nguyễn Đình Chiểu|Bùi Thị Xuân|Hoàng Hoa Thám|Phan Đình Phùng|Trần Văn Ơn|Lý Tự Trọng|Nguyễn Thượng Hiền|Trần Quang Khải|Nguyễn Trung Trực|Trương Định|Phan Đăng Lưu|Hồng Hà|Lê Thánh Tôn|Mạc Đĩnh Chi|Tân Định|Bành Văn Trân|Âu Cơ|Lạc Long Quân",
  kindergarten:
    "Họa Mi|Sơn Ca|Vành Khuyên|Hoa Hồng|Hoa Mai|Hoa Sen|Hoa Phượng|Tuổi Thơ|Tuổi Ngọc|Măng Non|Búp Măng|Mặt Trời Nhỏ|Ánh Dương|Sao Mai|Sao Việt|Bé Ngoan|Thỏ Ngọc|Thỏ Trắng|Gấu Trúc|Vàng Anh|Hươu Sao|Ong Vàng|Nắng Mai|Rạng Đông|Hướng Dương|Bình Minh|Thiên Thần Nhỏ|Thần Đồng|Cầu Vồng|Mickey|Kid's House|Little Star|Sunshine Kids|Montessori {poemMark}|Baby Star|Happy Kids|Smart Kids|Sen Hồng|Bông Sen|Anh Đào",
  pet: "Pet|Cún|Mèo|Paw|Boss|Bông|Milu",
  product: "Nam|Nữ|Trẻ Em|Công Sở|Thiết Kế|Hàng Hiệu|VNXK|Quảng Châu|Bigsize|Second Hand",
  bike: "Honda|Yamaha|Suzuki|SYM|Piaggio",
  fish: "Lăng|Lóc|Chẽm|Bớp|Diêu Hồng|Kèo",
  meat: "Bò|Gà|Heo|Dê|Vịt",
  trade:
    "Thương Mại Dịch Vụ|Thương mại|Sản Xuất Thương Mại|Xây Dựng|Dịch Vụ|Đầu Tư|Xuất Nhập Khẩu|Công Nghệ|Truyền Thông|Nội Thất|Cơ Khí|In Ấn|Bao Bì|Vận Tải|Thực Phẩm|May Mặc|Tư Vấn|Thiết Kế|Thiết Bị Điện|Quảng Cáo",
} as const;
