//! A temporary folder of NumPy files.

use half::f16;
use npyz::{AutoSerialize, Deserialize, NpyFile, WriterBuilder};
use std::fs::File;
use std::path::Path;

/// A folder that goes when the test ends.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("temporary folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn array<T: AutoSerialize + Copy>(&self, name: &str, shape: &[u64], data: &[T]) {
        let file = File::create(self.path().join(name)).expect("creates");
        let mut writer =
            npyz::WriteOptions::new().default_dtype().shape(shape).writer(file).begin_nd().expect("header");
        writer.extend(data.iter().copied()).expect("data");
        writer.finish().expect("as many as the shape has");
    }

    pub fn f32(&self, name: &str, shape: &[usize], data: &[f32]) {
        self.array(name, &shape.iter().map(|d| *d as u64).collect::<Vec<_>>(), data);
    }

    fn open(&self, name: &str) -> NpyFile<File> {
        NpyFile::new(File::open(self.path().join(name)).expect("opens")).expect("header")
    }

    pub fn read<T: Deserialize>(&self, name: &str) -> Vec<T> {
        self.open(name).into_vec().expect("data of that type")
    }

    pub fn read_f32(&self, name: &str) -> Vec<f32> {
        self.read(name)
    }

    pub fn read_f16_bits(&self, name: &str) -> Vec<u16> {
        self.read::<f16>(name).into_iter().map(f16::to_bits).collect()
    }

    pub fn shape(&self, name: &str) -> Vec<u64> {
        self.open(name).shape().to_vec()
    }
}

pub fn f16_bits(value: f32) -> u16 {
    f16::from_f32(value).to_bits()
}

pub fn f16_value(bits: u16) -> f64 {
    f16::from_bits(bits).to_f64()
}
