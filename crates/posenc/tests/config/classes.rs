//! What stands in the code of model types: as the config classes of transformers have it.

use posenc::config::{Attention, read};
use serde_json::json;

#[test]
fn what_a_config_leaves_open_is_what_transformers_takes() {
    let lines = include_str!("../data/config_classes.txt").lines().filter(|line| !line.starts_with('#'));
    let mut compared = 0;
    for line in lines {
        let cells: Vec<&str> = line.split(' ').collect();
        let [model_type, kind, theta, share, rope_type, hidden, heads, width, length, layers, kinds] = cells[..] else {
            unreachable!("{line}")
        };
        let whole = |cell: &str| cell.parse::<u64>().unwrap();
        let config = json!({
            "model_type": model_type, "hidden_size": whole(hidden), "num_attention_heads": whole(heads),
            "num_hidden_layers": whole(layers),
        });
        let reading = read(&config.to_string()).unwrap();
        assert!(reading.known, "{line}");
        assert_eq!(reading.lengths.given, Some(whole(length)), "{line}");
        let mut found = vec!['?'; whole(layers) as usize];
        for part in &reading.parts {
            let letter = match part.attention {
                Attention::Full => 'F',
                Attention::Sliding => 'S',
                Attention::Chunked => 'C',
                Attention::Other => 'O',
            };
            for layer in part.layers.as_ref().unwrap() {
                found[*layer] = letter;
            }
            let settings = &part.scheme.settings;
            let id = part.scheme.spec.id;
            if id == "none" || !(kind == "*" || kind == letter.to_string()) {
                continue;
            }
            compared += 1;
            assert_eq!(settings.real("rope_theta"), theta.parse::<f64>().unwrap(), "{line}");
            let (width, share) = (whole(width), share.parse::<f64>().unwrap());
            if id == "mrope" {
                // The rotated part alone.
                assert_eq!(settings.integer("head_dim") as f64, width as f64 * share, "{line}");
                continue;
            }
            assert_eq!(settings.integer("head_dim") as u64, width, "{line}");
            if id == "rope" {
                assert_eq!(settings.real("partial_rotary_factor"), share, "{line}");
                assert_eq!(settings.choice("rope_type"), rope_type, "{line}");
            }
        }
        if kinds != "-" {
            assert_eq!(found.into_iter().collect::<String>(), kinds, "{line}");
        }
    }
    assert!(compared >= 100, "{compared}");
}
