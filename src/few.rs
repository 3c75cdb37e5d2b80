//! A map of a few entries, in the order in which they came. `BTreeMap` is compiled anew for every pair of types, at
//! some 4 kB of the first load each.

/// Keys and values side by side.
#[derive(Debug)]
pub(crate) struct Few<K, V>(Vec<(K, V)>);

impl<K, V> Default for Few<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: PartialEq, V> Few<K, V> {
    fn place(&self, key: &K) -> Option<usize> {
        self.0.iter().position(|(other, _)| other == key)
    }

    /// Puts a value in; what had the key before comes back.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        if let Some(place) = self.place(&key) {
            return Some(std::mem::replace(&mut self.0[place].1, value));
        }
        self.0.push((key, value));
        None
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.place(key).map(|place| &self.0[place].1)
    }

    /// Takes a value out.
    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        self.place(key).map(|place| self.0.remove(place).1)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All entries.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(K, V)> {
        self.0.iter()
    }
}

impl<K, V> IntoIterator for Few<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
