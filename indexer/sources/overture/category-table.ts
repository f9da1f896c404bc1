/* oxlint-disable max-lines -- a table of data: one line for each type code */
import type { CategoryTable, CategoryTables } from "../category-types.ts";

/**
 * The categories of Overture that make a place of a type: names of the taxonomy of 2025-12, of the categories before it, and
 * of `basic_category`. A category that is not here takes the type of the next one above it. Singular and plural are the same.
 */
const CATEGORIES: CategoryTable = {
  RESTAURANT: "restaurant salad_bar soul_food supper_club gastropub eatertainment",
  EATERY:
    "casual_eatery diner bistro food_stand food_truck street_vendor sandwich_shop friterie snack_bar delicatessen deli bagel_shop sugar_shack box_lunch_supplier",
  VIETNAMESE_RESTAURANT: "vietnamese_restaurant",
  RICE_RESTAURANT: "nasi_restaurant",
  // The taxonomy of 2025-12 calls every noodle shop of Asia a ramen restaurant.
  NOODLE_RESTAURANT: "noodles_restaurant ramen_restaurant",
  SEAFOOD_RESTAURANT: "seafood_restaurant fish_restaurant fish_and_chips_restaurant fischbrotchen_restaurant",
  HOTPOT_RESTAURANT: "hot_pot_restaurant hotpot_restaurant",
  BARBECUE_RESTAURANT: "barbecue_restaurant smokehouse",
  CHICKEN_RESTAURANT: "chicken_restaurant chicken_wings_restaurant rotisserie_chicken_restaurant",
  VEGETARIAN_RESTAURANT: "vegetarian_restaurant vegan_restaurant live_and_raw_food_restaurant",
  HALAL_RESTAURANT: "halal_restaurant",
  JAPANESE_RESTAURANT: "japanese_restaurant",
  SUSHI_RESTAURANT: "sushi_restaurant",
  KOREAN_RESTAURANT: "korean_restaurant",
  CHINESE_RESTAURANT:
    "chinese_restaurant dim_sum_restaurant taiwanese_restaurant indo_chinese_restaurant baozi_restaurant dumpling_restaurant hong_kong_style_cafe",
  THAI_RESTAURANT: "thai_restaurant",
  INDIAN_RESTAURANT: "indian_restaurant",
  WESTERN_RESTAURANT:
    "european_restaurant north_american_restaurant american_restaurant southern_restaurant cajun_and_creole_restaurant canadian_restaurant australian_restaurant austrian_restaurant basque_restaurant belgian_restaurant british_restaurant scottish_restaurant irish_restaurant catalan_restaurant czech_restaurant slovakian_restaurant danish_restaurant norwegian_restaurant scandinavian_restaurant eastern_european_restaurant german_restaurant schnitzel_restaurant curry_sausage_restaurant greek_restaurant hungarian_restaurant iberian_restaurant mediterranean_restaurant polish_restaurant portuguese_restaurant romanian_restaurant russian_restaurant spanish_restaurant swiss_restaurant ukrainian_restaurant bulgarian_restaurant belarusian_restaurant serbo_croatian_restaurant fondue_restaurant tapas_bar",
  ITALIAN_RESTAURANT: "italian_restaurant piadina_restaurant",
  FRENCH_RESTAURANT: "french_restaurant brasserie",
  PIZZA_RESTAURANT: "pizza_restaurant pizza_delivery_service pizzaria pizzeria",
  BURGER_RESTAURANT: "burger_restaurant",
  STEAKHOUSE: "steakhouse",
  KEBAB_SHOP: "doner_kebab doner_kebab_restaurant kebab_restaurant falafel_restaurant kofta_restaurant",
  FAST_FOOD:
    "fast_food_restaurant hot_dog_restaurant cheesesteak_restaurant taco_restaurant wrap_restaurant empanadas empanada_restaurant poutinerie_restaurant",
  BUFFET_RESTAURANT: "buffet_restaurant",
  BREAKFAST_RESTAURANT:
    "breakfast_and_brunch_restaurant breakfast_restaurant pancake_house waffle_restaurant",
  FOOD_COURT: "food_court",
  CATERING: "caterer catering_service canteen cafeteria personal_chef food_delivery_service",
  COFFEE: "cafe coffee_shop coffee_roastery",
  BUBBLE_TEA: "bubble_tea bubble_tea_shop",
  TEA_HOUSE: "tea_room tea_house",
  JUICE_BAR: "smoothie_juice_bar juice_bar acai_bowls milkshake_bar milk_bar kombucha kombucha_bar",
  DESSERT_SHOP: "desserts dessert_shop",
  ICE_CREAM_SHOP:
    "ice_cream_shop ice_cream_and_frozen_yoghurt gelato gelato_shop frozen_yoghurt_shop frozen_yogurt_shop shaved_ice_shop shaved_snow_shop",
  BAKERY:
    "bakery patisserie_cake_shop custom_cakes_shop chimney_cake_shop cupcake_shop donuts donut_shop flatbread flatbread_shop macarons macaron_shop pretzels pretzel_shop pie_shop baguettes",
  CONFECTIONERY:
    "candy_store candy_shop chocolatier japanese_confectionery_shop indian_sweets_shop popcorn_shop",
  BAR: "bar pub irish_pub lounge airport_lounge speakeasy tabac bar_tabac cidery",
  WINE_BAR: "wine_bar champagne_bar vermouth_bar wine_tasting_room",
  BEER_GARDEN: "beer_garden brewery brewery_winery_distillery",
  NIGHT_CLUB:
    "dance_club nightlife_venue salsa_club strip_club adult_entertainment adult_entertainment_venue cabaret country_dance_hall",
  KARAOKE: "karaoke karaoke_venue",
  SHISHA_LOUNGE: "hookah_bar",

  SHOP: "discount_store superstore outlet_store online_shop specialty_store party_supply",
  CONVENIENCE_STORE: "convenience_store kiosk newspaper_and_magazines_store",
  SUPERMARKET: "supermarket",
  GROCERY: "grocery_store specialty_grocery_store food food_and_beverage_store food_or_beverage_store",
  MARKET:
    "market public_market farmers_market night_market holiday_market flea_market flower_market bazaars market_stall",
  SHOPPING_MALL: "shopping_center shopping_mall shopping_passage",
  DEPARTMENT_STORE: "department_store",
  CLOTHING_STORE:
    "clothing_store fashion fashion_and_apparel_store fashion_or_apparel_store boutique fashion_boutique bridal_shop lingerie_store designer_clothing custom_clothing plus_size_clothing traditional_clothing ceremonial_clothing fur_clothing saree_shop sleepwear stocking maternity_wear swimwear_store uniform_store costume_store hat_shop hat_store fashion_accessories_store clothing_company clothing_rental",
  CHILDREN_CLOTHING_STORE: "childrens_clothing_store",
  SHOE_STORE: "shoe_store orthopedic_shoe_store",
  BAG_STORE: "luggage_store handbag_stores leather_goods leather_goods_store bags_luggage_company",
  JEWELRY_STORE: "jewelry_store goldsmith gold_buyer diamond_dealer gemstone_and_mineral b2b_jewelers",
  WATCH_STORE: "watch_store watch_repair_service clock_repair_service",
  COSMETICS_STORE:
    "cosmetic_and_beauty_supplies cosmetic_and_beauty_supply_store hair_supply_stores perfume_store wig_store drugstore",
  OPTICIAN: "eyewear_and_optician eyewear_store sunglasses_store optometrist",
  BOOKSTORE: "bookstore academic_bookstore comic_books_store used_bookstore books_mags_music_and_video",
  STATIONERY_STORE:
    "cards_and_stationery_store office_equipment office_supply_store pen_store art_supply_store",
  ELECTRONICS_STORE:
    "electronics electronics_store appliance_store audio_visual_equipment_store home_theater_systems_stores battery_store drone_store",
  PHONE_STORE: "mobile_phone_store mobile_phone_accessories mobile_phone_accessory_store",
  COMPUTER_STORE: "computer_store computer_hardware_company video_game_store",
  CAMERA_STORE: "photography_store_and_services camera_and_photography_store",
  MUSIC_STORE:
    "musical_instrument_store guitar_store piano_store music_and_dvd_store music_store vinyl_record_store",
  FURNITURE_STORE:
    "furniture_store outdoor_furniture_store mattress_store furniture_accessory_store kitchen_and_bath kitchen_and_bath_store bathroom_fixture_stores",
  HOME_GOODS_STORE:
    "home_goods_store home_and_garden home_and_garden_store home_decor bedding_and_bath_stores linen candle_store kitchen_supply_store tableware_supplier window_treatment_store carpet_store rug_store flooring_store wallpaper_store holiday_decor",
  HARDWARE_STORE:
    "hardware_store building_supply_store home_improvement_store home_improvement_center do_it_yourself_store lumber_store paint_store tile_store electrical_supply_store welding_supply_store woodworking_supply_store safe_store",
  LIGHTING_STORE: "lighting_store lighting_fixtures_and_equipment",
  GARDEN_CENTER:
    "nursery_and_gardening nursery_and_gardening_store hydroponic_gardening agricultural_seed_store fertilizer_store greenhouse lawn_mower_store livestock_feed_and_supply_store farming_equipment_store",
  FLORIST: "florist flowers_and_gifts_shop flower_shop floral_designer wholesale_florist",
  GIFT_SHOP:
    "gift_shop souvenir_shop souvenir_store arts_and_crafts arts_and_crafts_store art_craft_hobby_store craft_shop craft_store handicraft_shop framing_store hobby_shop trophy_shop corporate_gift_supplier",
  TOY_STORE: "toy_store tabletop_games",
  BABY_STORE: "baby_gear_and_furniture baby_gear_and_furniture_store",
  PET_STORE: "pet_store aquatic_pet_store bird_shop reptile_shop",
  SPORTING_GOODS_STORE:
    "sporting_goods sporting_goods_store sports_wear sportswear_store outdoor_gear outdoor_store golf_equipment hunting_and_fishing_supplies ski_and_snowboard_shop surf_shop skate_shop dive_shop archery_shop gun_and_ammo fitness_exercise_equipment",
  BICYCLE_STORE: "bicycle_shop bike_store bike_repair_maintenance",
  MOTORCYCLE_DEALER: "motorcycle_dealer scooter_dealers motorsport_vehicle_dealer",
  CAR_DEALER:
    "car_dealer used_car_dealer automotive_dealer vehicle_dealer truck_dealer commercial_vehicle_dealer recreational_vehicle_dealer trailer_dealer forklift_dealer golf_cart_dealer boat_dealer car_broker car_buyer car_auction automobile_leasing",
  AUTO_PARTS_STORE:
    "auto_parts_and_supply_store auto_parts_store vehicle_parts_store automotive_parts_and_accessories motorcycle_gear motorsports_store car_stereo_store boat_parts_store boat_parts_and_accessories tire_shop",
  BUTCHER: "butcher_shop meat_shop meat_wholesaler",
  FISHMONGER: "fishmonger seafood_market seafood_wholesaler",
  FRUIT_SHOP: "fruits_and_vegetables produce_store greengrocer produce_wholesaler",
  SPECIALTY_FOOD_STORE:
    "specialty_foods specialty_foods_store health_food_store health_market imported_food cheese_shop dairy_stores frozen_foods pasta_shop rice_shop herb_and_spice_shop herbal_shop honey_farm_shop olive_oil vitamins_and_supplements water_store csa_farm",
  LIQUOR_STORE:
    "liquor_store beer_wine_and_spirits beer_wine_spirits_store winery distillery wine_wholesaler",
  TEA_COFFEE_STORE: "coffee_and_tea_supplies tea_wholesaler",
  TOBACCO_SHOP: "tobacco_shop e_cigarette_store cannabis_dispensary tobacco_company",
  GAS_SUPPLIER: "propane_supplier natural_gas_supplier natural_gas_utility_provider",
  FABRIC_STORE: "fabric_store knitting_supply embroidery_and_crochet b2b_textiles fabric_wholesaler",
  SECOND_HAND_STORE:
    "thrift_store second_hand_store second_hand_shop second_hand_clothing_store used_vintage_and_consignment junkyard",
  ANTIQUE_STORE: "antique_store antique_shop auction_house",
  WORSHIP_GOODS_STORE: "religious_items spiritual_shop spiritual_items_store",
  LOTTERY_SHOP: "lottery_ticket betting_center bookmakers",
  MEDICAL_SUPPLY_STORE:
    "medical_supply medical_supply_store dental_supply_store hearing_aids hearing_aid_provider hearing_aid_store hospital_equipment_and_supplies prosthetics orthotics",
  WHOLESALER:
    "wholesaler wholesale_store warehouse_club restaurant_wholesale importer_and_exporter import_export_service",

  HOSPITAL: "hospital childrens_hospital emergency_room surgical_center",
  CLINIC:
    "medical_center community_health_center public_health_clinic walk_in_clinic urgent_care_clinic womens_health_clinic dialysis_clinic cancer_treatment_center weight_loss_center clinic_or_treatment_center rehabilitation_center abuse_and_addiction_treatment alcohol_and_drug_treatment_center medical_service_organizations",
  DOCTOR:
    "doctor doctors_office family_practice internal_medicine surgeon allergist anesthesiologist cardiologist cosmetic_surgeon endocrinologist gastroenterologist geriatric_medicine hematology infectious_disease_specialist nephrologist neurologist oncologist orthopedist osteopathic_physician pain_management plastic_surgeon podiatrist podiatry proctologist pulmonologist radiologist rheumatologist sports_medicine urologist vascular_medicine nurse_practitioner physician_assistant nutritionist dietitian speech_therapist",
  MATERNITY_CLINIC:
    "maternity_centers obstetrician_and_gynecologist midwife fertility fertility_clinic prenatal_perinatal_care doula",
  PEDIATRIC_CLINIC: "pediatrician",
  EYE_CLINIC: "eye_care_clinic ophthalmologist retina_specialist laser_eye_surgery_lasik",
  EAR_NOSE_THROAT_CLINIC: "ear_nose_and_throat audiologist otologist",
  DERMATOLOGY_CLINIC: "dermatologist immunodermatologist",
  MENTAL_HEALTH_CLINIC:
    "counseling_and_mental_health psychiatrist psychologist psychotherapist psychoanalyst family_counselor marriage_or_relationship_counselor",
  PHYSIOTHERAPY: "physical_therapy occupational_therapy chiropractor osteopath hydrotherapy",
  TRADITIONAL_MEDICINE:
    "traditional_chinese_medicine acupuncture alternative_medicine ayurveda homeopathic_medicine naturopathic_holistic tui_na reiki",
  DENTIST:
    "dentist general_dentistry cosmetic_dentist pediatric_dentist orthodontist endodontist periodontist prosthodontist oral_surgeon dental_hygienist dental_laboratories",
  PHARMACY: "pharmacy",
  LABORATORY:
    "diagnostic_services diagnostic_imaging laboratory_testing laboratory clinical_laboratories clinical_lab ultrasound_imaging_center pathologist",
  BLOOD_BANK: "blood_and_plasma_donation_center",
  NURSING_HOME:
    "retirement_home assisted_living_facility skilled_nursing hospice memory_care home_health_care",
  VETERINARY_CLINIC: "veterinarian animal_hospital emergency_pet_hospital veterinary_care",

  SCHOOL:
    "school public_school private_school charter_school religious_school montessori_school waldorf_school",
  KINDERGARTEN: "preschool day_care_preschool child_care_and_day_care",
  PRIMARY_SCHOOL: "elementary_school",
  SECONDARY_SCHOOL: "middle_school",
  HIGH_SCHOOL: "high_school",
  COLLEGE:
    "vocational_and_technical_school nursing_school cosmetology_school massage_school cooking_school bartending_school flight_school",
  UNIVERSITY: "college_university campus_building medical_school student_union",
  LANGUAGE_SCHOOL: "language_school",
  TUTORING_CENTER:
    "tutoring_center private_tutor test_preparation educational_services adult_education computer_coaching after_school_program specialty_school",
  DRIVING_SCHOOL: "driving_school traffic_school",
  ART_SCHOOL: "art_school music_school drama_school circus_school photography_classes",
  DANCE_SCHOOL: "dance_school dance_studio",
  STUDENT_DORMITORY: "university_housing",
  RESEARCH_INSTITUTE:
    "research_institute educational_research_institute medical_research_and_development scientific_laboratories",
  LIBRARY: "library",
  GOVERNMENT_OFFICE:
    "government_office government_services central_government_office federal_government_offices local_and_state_government_offices department_of_motor_vehicles department_of_social_service immigration_and_naturalization office_of_vital_records registry_office unemployment_office board_of_education_offices health_department chambers_of_commerce",
  PEOPLES_COMMITTEE: "town_hall civic_center",
  TAX_OFFICE: "tax_office",
  SOCIAL_INSURANCE_OFFICE: "social_security_services pension",
  POLICE: "police_department law_enforcement police_station jail_and_prison",
  FIRE_STATION: "fire_department fire_station",
  COURTHOUSE: "courthouse",
  EMBASSY: "embassy",
  MILITARY: "armed_forces_branch national_security_services military_site",
  COMMUNITY_CENTER:
    "community_center cultural_center family_service_center children_hall scout_hall senior_citizen_services social_welfare_center",
  PLACE_OF_WORSHIP: "religious_organization religious_destination convents_and_monasteries mission",
  PAGODA: "buddhist_temple buddhist_place_of_worship",
  TEMPLE: "hindu_temple hindu_place_of_worship sikh_temple sikh_place_of_worship temple",
  SHRINE: "shinto_shrines shrine",
  // Overture spells it so.
  CHURCH:
    "church_cathedral christian_place_of_worshop christian_place_of_worship jehovahs_witness_kingdom_hall",
  MOSQUE: "mosque muslim_place_of_worship",
  SYNAGOGUE: "synagogue jewish_place_of_worship",
  CEMETERY: "cemeteries cemetery memorial_park",
  BUS_STATION: "bus_station coach_bus transport_interchange",
  TRAIN_STATION: "train_station trains trains_and_rail_transport railway_service",
  METRO_STATION: "metro_station light_rail_and_subway_stations",
  AIRPORT: "airport airport_terminal heliports balloon_ports gliderports seaplane_bases",
  FERRY_TERMINAL: "ferry_service ferry_boat_company water_taxi",
  PORT: "marina pier quay fuel_dock",
  TOLL_BOOTH: "toll_stations",
  REST_AREA: "rest_areas rest_stop truck_stop",

  ATM: "atms",
  BANK: "banks bank_credit_union credit_union business_banking_service",
  CURRENCY_EXCHANGE: "currency_exchange coin_dealers",
  MONEY_TRANSFER:
    "money_transfer_services check_cashing_payday_loans installment_loans mortgage_lender auto_loan_provider",
  PAWN_SHOP: "pawn_shop",
  INSURANCE_AGENCY:
    "insurance_agency auto_insurance life_insurance home_and_rental_insurance farm_insurance health_insurance_office pet_insurance",
  ACCOUNTING_FIRM: "accountant bookkeeper tax_services payroll_services",
  LAWYER: "lawyer legal_services wills_trusts_and_probate private_investigation",
  NOTARY: "notary_public",
  REAL_ESTATE_AGENCY:
    "real_estate real_estate_agent real_estate_service real_estate_agency apartment_agent commercial_real_estate property_management mortgage_broker home_developer builders land_surveying vacation_rental_agents",
  EMPLOYMENT_AGENCY: "employment_agencies temp_agency human_resource_services talent_agency",
  TRAVEL_AGENCY:
    "travel_agents travel_services travel_company travel tours tour_operator sightseeing_tour_agency boat_charter passport_and_visa_services visa_agent",
  TICKET_OFFICE:
    "ticket_sales ticket_office_or_booth bus_ticket_agency airline_ticket_agency railway_ticket_agent",
  ADVERTISING_AGENCY:
    "advertising_agency marketing_agency business_advertising internet_marketing_service social_media_agency public_relations graphic_designer",
  IT_COMPANY:
    "information_technology_company software_development it_service_and_computer_repair web_designer web_hosting_service it_consultant data_recovery",
  CONSTRUCTION_COMPANY:
    "construction_services contractor building_contractor architect architectural_designer interior_design engineering_services roofing landscaping masonry_concrete painting windows_installation",
  CRAFT_WORKSHOP:
    "carpenter blacksmiths welders machine_shop glass_and_mirror_sales_service furniture_repair shoe_repair bookbinding taxidermist artist_studio glass_blowing makerspace",
  ELECTRICIAN: "electrician plumbing hvac_services solar_installation",
  COWORKING_SPACE: "coworking_space shared_office_space",
  OFFICE_BUILDING: "corporate_office skyscraper",
  FACTORY:
    "business_manufacturing_and_supply chemical_plant industrial_equipment metal_fabricator metals mills",
  WAREHOUSE: "warehouses b2b_storage_and_warehouses storage_facility self_storage_facility",
  NGO: "organization non_governmental_association charity_organization social_service_organizations community_services_non_profits public_and_government_association political_organization political_party_office labor_union youth_organizations environmental_conservation_organization volunteer_association food_banks homeless_shelter",
  TELECOM_OFFICE:
    "telecommunications_company telecommunications internet_service_provider television_service_providers",
  UTILITY_OFFICE:
    "public_utility_company public_utility_provider utility_service energy_company electric_utility_provider electricity_supplier water_supplier water_utility_provider garbage_collection_service recycling_center",
  MEDIA_COMPANY:
    "mass_media media_and_news media_news_company print_media radio_station television_station topic_publisher movie_television_studio music_production broadcasting_media_production video_film_production record_label recording_and_rehearsal_studio",
  POST_OFFICE: "post_office",
  COURIER:
    "courier_and_delivery_services shipping_center freight_and_cargo_service freight_forwarding_agency motor_freight_trucking distribution_services mailbox_center",
  MOVING_COMPANY: "movers packing_services",
  PARCEL_LOCKER: "package_locker",
  HAIR_SALON: "hair_salon hair_stylist kids_hair_salon blow_dry_blow_out_service hair_extensions",
  BARBER: "barber barber_shop",
  NAIL_SALON: "nail_salon",
  BEAUTY_SALON:
    "beauty_salon skin_care skin_care_and_makeup makeup_artist permanent_makeup eyelash_service eyebrow_service hair_removal laser_hair_removal waxing tanning_salon esthetician aesthetician teeth_whitening",
  SPA: "spas day_spa health_spa medical_spa float_spa sauna onsen public_bath_houses turkish_baths hot_springs natural_hot_springs",
  MASSAGE: "massage massage_therapy reflexology",
  TATTOO_SHOP: "tattoo_and_piercing tattoo piercing",
  LAUNDRY: "laundry_services laundromat dry_cleaning",
  TAILOR: "sewing_and_alterations gents_tailor tailor",
  CLEANING_SERVICE:
    "cleaning_services home_cleaning janitorial_services office_cleaning industrial_cleaning_services carpet_cleaning pressure_washing window_washing pest_control_service",
  LOCKSMITH: "key_and_locksmith",
  PHOTO_STUDIO: "photographer event_photography session_photography boudoir_photography videographer",
  PRINT_SHOP:
    "printing_services commercial_printer screen_printing_t_shirt_printing sign_making 3d_printing_service customized_merchandise",
  PHONE_REPAIR: "mobile_phone_repair electronics_repair_shop",
  APPLIANCE_REPAIR: "appliance_repair_service washer_and_dryer_repair_service handyman",
  MOTORCYCLE_REPAIR: "motorcycle_repair",
  CAR_REPAIR:
    "automotive_repair automotive_services_and_repair auto_body_shop auto_glass_service auto_customization auto_electrical_repair auto_restoration_services brake_service_and_repair engine_repair_service oil_change_station tire_dealer_and_repair tire_repair_shop transmission_repair truck_repair wheel_and_rim_repair towing_service roadside_assistance boat_service_and_repair",
  CAR_WASH: "car_wash auto_detailing",
  CAR_INSPECTION: "car_inspection emissions_inspection automobile_registration_service",
  GAS_STATION: "gas_station truck_gas_station fueling_station",
  CHARGING_STATION: "electric_vehicle_charging_station ev_charging_station",
  PARKING: "parking park_and_rides motorcycle_parking bike_parking",
  CAR_RENTAL:
    "car_rental_agency car_rental_service vehicle_rental_service truck_rentals rv_rentals car_sharing",
  MOTORCYCLE_RENTAL: "motorcycle_rentals motorcycle_rental_service scooter_rental",
  BICYCLE_RENTAL: "bike_rentals bike_sharing bicycle_sharing_location bike_sharing_location",
  TAXI_SERVICE:
    "taxi_service taxi_rank taxi_stand taxi_and_ride_share ride_sharing limo_services town_car_service airport_shuttles pedicab_service",
  INTERNET_CAFE: "internet_cafe",
  WEDDING_VENUE: "wedding_planning wedding_chapel",
  EVENT_VENUE:
    "venue_and_event_space event_venue event_planning party_and_event_planning auditorium exhibition_and_trade_center exhibition_and_trade_fair_venue festival festival_venue fairgrounds kids_recreation_and_party party_equipment_rental",
  FUNERAL_HOME: "funeral_services_and_cemeteries funeral_service cremation_services mortuary_services",
  FORTUNE_TELLER:
    "fortune_telling_service supernatural_reading spiritual_advising astrologer psychic feng_shui mystic",
  PET_SERVICE:
    "pet_services pets pet_groomer pet_boarding pet_sitting pet_training dog_trainer dog_walkers pet_breeder pet_adoption animal_shelter animal_rescue_service",
  TOILET: "public_toilet public_restrooms",

  HOTEL: "hotel motel inn ryokan",
  RESORT: "resort beach_resort ski_resort health_retreats holiday_park",
  GUEST_HOUSE: "guest_house bed_and_breakfast",
  HOSTEL: "hostel",
  HOMESTAY:
    "holiday_rental_home cabin cottage country_house lodge mountain_huts houseboat agriturismo self_catering_accommodation private_lodging",
  SERVICED_APARTMENT: "service_apartments",
  CAMPSITE: "campground rv_park",
  TOURIST_ATTRACTION:
    "sculpture_statue street_art fountain lighthouse observatory planetarium architecture tower sculpture_park",
  VIEWPOINT: "lookout skyline",
  MONUMENT: "monument",
  HISTORIC_SITE:
    "landmark_and_historical_building architectural_landmark historic_site castle fort palace ruin",
  MUSEUM: "museum",
  ART_GALLERY: "art_gallery arts_and_crafts_space artspace",
  ZOO: "zoo petting_zoo wildlife_sanctuary animal_attraction",
  AQUARIUM: "aquarium",
  AMUSEMENT_PARK: "amusement_park amusement_attraction carousel haunted_house circus trampoline_park",
  WATER_PARK: "water_park",
  PARK: "park",
  GARDEN: "botanical_garden garden community_gardens",
  PLAYGROUND: "playground indoor_playcenter",
  BEACH: "beach beach_combing_area",
  WATERFALL: "waterfall",
  LAKE: "lake dam",
  MOUNTAIN: "mountain",
  ISLAND: "island",
  NATURE:
    "nature_reserve forest river cave canyon desert trail hiking_trail mountain_bike_trails geologic_formation sand_dune crater nature_outdoors",
  FARM: "farm orchard ranch b2b_farms b2b_farming agriculture agricultural_service crops_production",
  CINEMA: "cinema movie_theater outdoor_movies drive_in_theater",
  THEATER:
    "theatre theatre_venue theaters_and_performance_venues performing_arts performing_arts_venue comedy_club opera_and_ballet dinner_theater",
  CONCERT_HALL: "music_venue topic_concert_venue jazz_and_blues",
  ARCADE: "arcade gaming_venue escape_rooms laser_tag virtual_reality_center paintball",
  CASINO: "casino bingo_hall",
  BOWLING_ALLEY: "bowling_alley",
  BILLIARDS: "pool_billiards pool_hall pool_and_billiards",
  FISHING_SPOT: "fishing fishing_charter fishing_club",
  GYM: "gym fitness_trainer boot_camp boxing_gym boxing_class cardio_classes cycling_classes pilates_studio health_and_wellness_club fitness_studio",
  YOGA_STUDIO: "yoga_studio yoga_instructor meditation_center tai_chi_studio qi_gong_studio",
  MARTIAL_ARTS_SCHOOL:
    "martial_arts_club karate_club taekwondo_club kickboxing_club muay_thai_club boxing_club self_defense_classes",
  SPORTS_CENTER:
    "sports_and_recreation_venue sports_club_and_league gymnastics_center sports_school skate_park shooting_range archery_range race_track go_kart_track adventure_sports_center",
  FOOTBALL_PITCH: "soccer_field soccer_club football_club futsal_field bubble_soccer_field",
  BADMINTON_COURT: "badminton_court",
  TENNIS_COURT: "tennis_court",
  PICKLEBALL_COURT: "pickleball_court",
  BASKETBALL_COURT: "basketball_court",
  GOLF_COURSE: "golf_course golf_club driving_range miniature_golf_course indoor_golf_center",
  SWIMMING_POOL: "swimming_pool swimming_instructor",
  ICE_RINK: "ice_skating_rink skating_rink",
  CLIMBING_GYM: "rock_climbing_gym rock_climbing_spot climbing_service",
  HORSE_RIDING: "horse_riding equestrian_facility horseback_riding_service horse_boarding horse_trainer",
  DIVING_CENTER: "diving_center scuba_diving_center free_diving_center scuba_diving_instruction snorkeling",
  STADIUM: "stadium_arena stadium cricket_ground",
  SOCIAL_CLUB: "social_club country_club fraternal_organization veterans_organization",
  TOURIST_INFORMATION: "visitor_center visitor_information_center",
  APARTMENT_BUILDING: "apartments condominium apartment_building",
  RESIDENTIAL_AREA: "mobile_home_park housing_cooperative homeowner_association low_income_housing",
  SQUARE: "plaza public_plaza",
  BRIDGE: "bridge",
};

/** How the names of many categories end. */
const ENDINGS: CategoryTable = {
  RESTAURANT: "restaurant",
  BAR: "bar",
  SHOP: "store shop",
  SCHOOL: "school",
  MUSEUM: "museum",
  CHURCH: "church",
  PLACE_OF_WORSHIP: "place_of_worship place_of_worshop",
  HOTEL: "hotel",
  CLINIC: "clinic",
  HOSPITAL: "hospital",
  LAWYER: "law lawyer attorney",
  FACTORY: "manufacturer manufacturing factory mill",
  WHOLESALER: "wholesaler supplier distributor",
  CONSTRUCTION_COMPANY: "contractor remodeling installation engineer",
  COMPANY: "company consultant agency",
  TRAVEL_AGENCY: "tour",
  STADIUM: "stadium arena",
  PARK: "park",
  FARM: "farm farming",
  SPORTS_CENTER: "court field pitch sports_club sports_league sports_team",
};

/** What says the trade and no more; a trade that no type stands for is left out, and its places are plain places. */
const VAGUE: CategoryTable = {
  RESTAURANT: "eat_and_drink food_and_drink eating_drinking_location",
  SHOP: "retail shopping retail_location beverage_store beverage_shop",
  LODGING: "accommodation lodging",
  CLINIC: "health_and_medical health_care healthcare_location",
  SCHOOL: "education place_of_learning",
  BEAUTY_SALON: "beauty_and_spa beauty_service",
  TOURIST_ATTRACTION: "attractions_and_activities rural_attraction science_attraction",
  SPORTS_CENTER: "active_life sports_and_recreation sports_and_fitness_instruction sport_fitness_facility",
  CAR_REPAIR: "automotive",
  NATURE: "structure_and_geography geographic_entities",
  COMPANY:
    "business_to_business business professional_services services_and_business financial_service home_service private_establishments_and_corporates b2b_service",
};

export const OVERTURE_CATEGORIES: CategoryTables = {
  separator: " ",
  categories: CATEGORIES,
  endings: ENDINGS,
  vague: VAGUE,
};
