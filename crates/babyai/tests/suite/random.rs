//! numpy's random numbers: values printed by numpy 2.4.6 (`numpy.random.default_rng(seed)`).

use counsel_babyai::random::Generator;

#[test]
fn draws_of_every_kind_come_in_numpys_order() {
    let expected = [
        (123_456_789, [6, 0, 4, 6, 2], 0x3fe3_ff28_9229_5a95_u64, [881_396, 128_474, 790_717], 0xd36e_b527_319c_16f2),
        (4_294_967_301, [0, 5, 5, 3, 6], 0x3fea_2113_8e9b_260b, [695_883, 815_442, 537_939], 0x846d_8677_91fa_96eb),
        (u64::MAX, [3, 4, 6, 5, 2], 0x3fec_a04d_55e3_3445, [7_406, 604_738, 128_968], 0x519f_668e_4da8_ffa0),
    ];
    for (seed, small, unit, large, raw) in expected {
        let mut random = Generator::new(seed);
        assert_eq!([(); 5].map(|()| random.below(7)), small, "seed {seed}");
        assert_eq!(random.unit().to_bits(), unit, "seed {seed}");
        assert_eq!([(); 3].map(|()| 3 + random.below(1_000_000)), large, "seed {seed}");
        assert_eq!(random.next_u64(), raw, "seed {seed}");
    }
}
