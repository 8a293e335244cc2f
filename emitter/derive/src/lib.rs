//! `#[derive(Kernargs)]`, which `wavesmith_emitter` hands on: a kernel's arguments as a struct, for both sides.
//!
//! All that a layout needs of a struct are the names, types and order of its fields. That much is read off the tokens here, so
//! that no parser of Rust has to be built before everything else.
#![forbid(unsafe_code)]

use proc_macro::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// Lays a struct with named fields out as C would. Every field's type must be one of `wavesmith_emitter::kernarg::Field`'s.
///
/// The struct gets `places(&mut Kernargs) -> …Places`, which tells a generator where each field lies, and
/// `to_bytes(&self) -> Vec<u8>`, which gives a launch its kernel-argument segment. `…Places` is a struct of its own with the
/// same fields; `#[kernargs(places = Name)]` gives it another name.
#[proc_macro_derive(Kernargs, attributes(kernargs))]
pub fn kernargs(item: TokenStream) -> TokenStream {
    match Struct::parse(item) {
        Ok(found) => found.code(),
        Err((message, span)) => error(message, span),
    }
}

type Wrong = (&'static str, Span);

/// `compile_error!` at a token.
fn error(message: &str, span: Span) -> TokenStream {
    let text = code(&format!("{message:?}"));
    let tokens = [
        TokenTree::from(Ident::new("compile_error", span)),
        Punct::new('!', Spacing::Alone).into(),
        Group::new(Delimiter::Brace, text).into(),
    ];
    tokens.into_iter().map(|t| respanned(t, span)).collect()
}

fn respanned(mut token: TokenTree, span: Span) -> TokenTree {
    token.set_span(span);
    token
}

/// Tokens of what is written here, which is always well formed.
fn code(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}

struct Struct {
    visibility: TokenStream,
    name: Ident,
    places: Ident,
    fields: Vec<Field>,
}

struct Field {
    /// Attributes of documentation, which the places share.
    docs: TokenStream,
    name: Ident,
    ty: TokenStream,
}

/// What stands before an item or a field: attributes, and how visible it is.
struct Head {
    docs: TokenStream,
    /// The name that `#[kernargs(places = …)]` gives.
    places: Option<Ident>,
    visibility: TokenStream,
}

type Tokens = std::iter::Peekable<proc_macro::token_stream::IntoIter>;

impl Head {
    fn parse(tokens: &mut Tokens) -> Result<Head, Wrong> {
        let mut head = Head { docs: TokenStream::new(), places: None, visibility: TokenStream::new() };
        while let Some(TokenTree::Punct(hash)) = tokens.peek()
            && hash.as_char() == '#'
        {
            let hash = tokens.next();
            let Some(TokenTree::Group(attribute)) = tokens.next() else { continue };
            let mut inside = attribute.stream().into_iter();
            match inside.next() {
                Some(TokenTree::Ident(name)) if name.to_string() == "doc" => {
                    head.docs.extend(hash.into_iter().chain([TokenTree::Group(attribute)]));
                }
                Some(TokenTree::Ident(name)) if name.to_string() == "kernargs" => {
                    let wrong = || ("accepted is #[kernargs(places = Name)]", name.span());
                    let Some(TokenTree::Group(list)) = inside.next() else { return Err(wrong()) };
                    match &list.stream().into_iter().collect::<Vec<_>>()[..] {
                        [TokenTree::Ident(key), TokenTree::Punct(is), TokenTree::Ident(places)]
                            if key.to_string() == "places" && is.as_char() == '=' =>
                        {
                            head.places = Some(places.clone());
                        }
                        _ => return Err(wrong()),
                    }
                }
                _ => {}
            }
        }
        if let Some(TokenTree::Ident(word)) = tokens.peek()
            && word.to_string() == "pub"
        {
            head.visibility.extend(tokens.next());
            if let Some(TokenTree::Group(within)) = tokens.peek()
                && within.delimiter() == Delimiter::Parenthesis
            {
                head.visibility.extend(tokens.next());
            }
        }
        Ok(head)
    }
}

impl Struct {
    fn parse(item: TokenStream) -> Result<Struct, Wrong> {
        let mut tokens: Tokens = item.into_iter().peekable();
        let head = Head::parse(&mut tokens)?;
        let only = "kernel arguments are a struct with named fields and no parameters of its own";
        let name = match (tokens.next(), tokens.next()) {
            (Some(TokenTree::Ident(word)), Some(TokenTree::Ident(name))) if word.to_string() == "struct" => name,
            (word, _) => return Err((only, word.map_or_else(Span::call_site, |w| w.span()))),
        };
        let body = match tokens.next() {
            Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => body,
            other => return Err((only, other.map_or(name.span(), |o| o.span()))),
        };
        let mut tokens: Tokens = body.stream().into_iter().peekable();
        let mut fields = Vec::new();
        while tokens.peek().is_some() {
            let head = Head::parse(&mut tokens)?;
            let name = match (tokens.next(), tokens.next()) {
                (Some(TokenTree::Ident(name)), Some(TokenTree::Punct(_))) => name,
                (word, _) => return Err((only, word.map_or(name.span(), |w| w.span()))),
            };
            // A comma between angle brackets belongs to the type.
            let (mut ty, mut depth) = (TokenStream::new(), 0);
            for token in tokens.by_ref() {
                match &token {
                    TokenTree::Punct(p) if p.as_char() == ',' && depth == 0 => break,
                    TokenTree::Punct(p) if p.as_char() == '<' => depth += 1,
                    TokenTree::Punct(p) if p.as_char() == '>' => depth -= 1,
                    _ => {}
                }
                ty.extend([token]);
            }
            fields.push(Field { docs: head.docs, name, ty });
        }
        let places = head.places.unwrap_or_else(|| Ident::new(&format!("{name}Places"), name.span()));
        Ok(Struct { visibility: head.visibility, name, places, fields })
    }

    fn code(&self) -> TokenStream {
        let (name, places) = (&self.name, &self.places);
        let mut out = code(&format!("#[doc = \"Where each of [`{name}`] lies.\"] #[derive(Clone, Copy, Debug)]"));
        out.extend(self.visibility.clone());
        out.extend(code("struct"));
        out.extend([TokenTree::from(places.clone())]);
        let declared = self.fields.iter().flat_map(|f| {
            let mut field = f.docs.clone();
            field.extend(code(&format!("pub {}: ::wavesmith_emitter::Arg,", f.name)));
            field
        });
        out.extend([TokenTree::from(Group::new(Delimiter::Brace, declared.collect()))]);

        let placed = self.fields.iter().flat_map(|f| {
            let mut field = code(&format!("{}:", f.name));
            field.extend(in_trait(f, &format!("place(k, {:?})", f.name.to_string())));
            field.extend(code(","));
            field
        });
        let mut body = code(
            "/// Lays the arguments out, in order, as C does.\n\
             pub fn places(k: &mut ::wavesmith_emitter::Kernargs) ->",
        );
        body.extend([TokenTree::from(places.clone())]);
        let mut lay: TokenStream = TokenTree::from(places.clone()).into();
        lay.extend([TokenTree::from(Group::new(Delimiter::Brace, placed.collect()))]);
        body.extend([TokenTree::from(Group::new(Delimiter::Brace, lay))]);

        let mut bytes = code(
            "let mut layout = ::wavesmith_emitter::Kernargs::new();\n\
             let places = Self::places(&mut layout);\n\
             let mut out = ::std::vec![0u8; layout.size() as usize];",
        );
        for f in &self.fields {
            let n = &f.name;
            let at = format!("places.{n}.offset as usize..(places.{n}.offset + places.{n}.size) as usize");
            bytes.extend(in_trait(f, &format!("put(&self.{n}, &mut out[{at}]);")));
        }
        bytes.extend(code("out"));
        body.extend(code("/// The kernel-argument segment.\npub fn to_bytes(&self) -> ::std::vec::Vec<u8>"));
        body.extend([TokenTree::from(Group::new(Delimiter::Brace, bytes))]);

        out.extend(code("impl"));
        out.extend([TokenTree::from(name.clone()), Group::new(Delimiter::Brace, body).into()]);
        out
    }
}

/// `<type as Field>::call`, the type with its place in the source, where the compiler reports that it is no such type.
fn in_trait(field: &Field, call: &str) -> TokenStream {
    let mut out = code("<");
    out.extend(field.ty.clone());
    out.extend(code(&format!("as ::wavesmith_emitter::kernarg::Field>::{call}")));
    out
}
