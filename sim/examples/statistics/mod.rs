//! How far two series are apart.

/// The value below which that part of sorted values lies.
#[allow(dead_code, reason = "each example takes what it needs")]
pub fn quantile(sorted: &[f64], part: f64) -> f64 {
    let at = part * sorted.len().saturating_sub(1) as f64;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * at.fract()
}

/// Spearman's rank correlation.
#[allow(dead_code, reason = "each example takes what it needs")]
pub fn rank_correlation(pairs: &[(f64, f64)]) -> f64 {
    let ranks = |value: &dyn Fn(usize) -> f64| {
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        order.sort_by(|a, b| value(*a).total_cmp(&value(*b)));
        let mut ranks = vec![0.0; pairs.len()];
        order.iter().enumerate().for_each(|(rank, i)| ranks[*i] = rank as f64);
        ranks
    };
    let (a, b) = (ranks(&|i| pairs[i].0), ranks(&|i| pairs[i].1));
    let n = pairs.len() as f64;
    let squares: f64 = a.iter().zip(&b).map(|(x, y)| (x - y).powi(2)).sum();
    1.0 - 6.0 * squares / (n * (n * n - 1.0)).max(1.0)
}
