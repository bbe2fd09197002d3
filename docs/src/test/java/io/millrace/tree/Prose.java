package io.millrace.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sentences of a file, and the rule for them: a sentence names its subject. Pronouns are less
 * than {@value #MOST_PERCENT} percent of its words, and no clause such as "what waits" stands where
 * its subject should.
 */
final class Prose {
  /** A sentence has fewer pronouns than this share of its words. */
  static final int MOST_PERCENT = 30;

  /** The shares of shorter sentences say nothing. */
  private static final int FEWEST_WORDS = 4;

  private static final Set<String> PRONOUNS =
      Set.of(
          "what", "who", "whoever", "whose", "which", "that", "those", "one", "it", "its", "they",
          "them", "none", "some", "others", "any", "there");

  private static final Set<String> BEGINNINGS = Set.of("who", "whoever", "what", "those");

  /** Behind these "one" is no number. */
  private static final Set<String> CLAUSES = Set.of("that", "which", "who", "whose", "is", "has");

  private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z'-]*");
  private static final Pattern END =
      Pattern.compile("(?<=[.!?])[\"')*]*\\s+(?=[^a-z\\s])|(?<=\\w\\.)$");
  private static final Pattern BLOCK_TAG =
      Pattern.compile("^\\s*(?:@(?:param|throws|exception)\\s+\\S+|@[a-z]+)");
  private static final Pattern LITERAL = Pattern.compile("\"((?:\\\\.|[^\"\\\\\\n])*)\"");
  private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");
  private static final Pattern LIST_ITEM = Pattern.compile("\\s*(?:[-*]|\\d+\\.)\\s.*");
  private static final Pattern XML_TEXT = Pattern.compile(">([^<>]+)<");

  /**
   * One sentence.
   *
   * @param path the file, relative to the root
   * @param line where its paragraph begins, from 1
   * @param text with one space between words; code is the word Code
   */
  record Sentence(String path, int line, String text) {
    private List<String> words() {
      return WORD.matcher(text)
          .results()
          .map(word -> word.group().toLowerCase(Locale.ROOT).replace("'s", ""))
          .toList();
    }

    int wordCount() {
      return words().size();
    }

    int pronounCount() {
      return (int) words().stream().filter(PRONOUNS::contains).count();
    }

    /** Whether a reader must build the subject of the sentence himself. */
    boolean hidesItsSubject() {
      List<String> words = words();
      return words.size() >= FEWEST_WORDS
          && (beginsWithClause(words) || 100 * pronounCount() >= MOST_PERCENT * words.size());
    }

    private boolean beginsWithClause(List<String> words) {
      String first = words.getFirst();
      boolean isQuestion = text.endsWith("?");
      return (BEGINNINGS.contains(first) && !isQuestion)
          || (first.equals("one") && CLAUSES.contains(words.get(1)));
    }

    @Override
    public String toString() {
      return path + ": " + text;
    }
  }

  private Prose() {}

  /** The sentences of a Java file, a document, the catalogue of events or a file of settings. */
  static List<Sentence> of(SourceFile file) {
    List<Sentence> sentences = new ArrayList<>();
    if (file.isJava()) {
      addComments(file, new JavaText(file.text()).comments(), sentences);
      if (file.isMainJava()) {
        addLiterals(file, sentences);
      }
    } else if (file.isMarkdown()) {
      addMarkdown(file, sentences);
    } else if (file.path().endsWith("catalogue.xml")) {
      Matcher text = XML_TEXT.matcher(file.text());
      while (text.find()) {
        add(file, file.lineAt(text.start()), text.group(1), sentences);
      }
    } else if (file.path().endsWith("reference.conf")) {
      String comments = file.text().replaceAll("(?m)^(?!\\s*#).*$", "").replace("#", "");
      addComments(file, comments, sentences);
    }
    return sentences;
  }

  private static void addComments(SourceFile file, String comments, List<Sentence> into) {
    Paragraph paragraph = new Paragraph(file, into);
    int number = 0;
    for (String line : comments.split("\n", -1)) {
      number++;
      String text =
          line.strip().replaceFirst("^(?:/\\*+|\\*/|\\*|//+)", "").replaceFirst("\\*/$", "");
      boolean begins = text.strip().matches("@[a-z].*|<p>.*|<li>.*|<ul>.*");
      paragraph.take(number, BLOCK_TAG.matcher(text).replaceFirst(""), begins);
    }
    paragraph.end();
  }

  private static void addLiterals(SourceFile file, List<Sentence> into) {
    String code = file.text().replaceAll("(?m)^\\s*(?:\\*|//|/\\*).*$", "");
    Matcher literal = LITERAL.matcher(JOINED.matcher(code).replaceAll(""));
    while (literal.find()) {
      add(file, 0, literal.group(1).replaceAll("%n|\\\\n", ". "), into);
    }
  }

  private static void addMarkdown(SourceFile file, List<Sentence> into) {
    Paragraph paragraph = new Paragraph(file, into);
    boolean isCode = false;
    int number = 0;
    for (String line : file.text().split("\n", -1)) {
      number++;
      boolean isFence = line.strip().startsWith("```");
      isCode ^= isFence;
      if (isCode || isFence || line.startsWith("#")) {
        paragraph.end();
      } else if (line.startsWith("|")) {
        paragraph.end();
        for (String cell : line.split("\\|")) {
          add(file, number, cell, into);
        }
      } else {
        boolean begins = LIST_ITEM.matcher(line).matches();
        paragraph.take(number, begins ? line.replaceFirst("[-*]|\\d+\\.", "") : line, begins);
      }
    }
    paragraph.end();
  }

  /** Lines that follow each other and make sentences together. */
  private static final class Paragraph {
    private final SourceFile file;
    private final List<Sentence> into;
    private final StringBuilder text = new StringBuilder();
    private int start;

    Paragraph(SourceFile file, List<Sentence> into) {
      this.file = file;
      this.into = into;
    }

    void take(int number, String line, boolean begins) {
      if (begins || line.isBlank()) {
        end();
      }
      if (text.isEmpty()) {
        start = number;
      }
      text.append(' ').append(line);
    }

    void end() {
      add(file, start, text.toString(), into);
      text.setLength(0);
    }
  }

  private static void add(SourceFile file, int line, String paragraph, List<Sentence> into) {
    for (String sentence : END.split(plain(paragraph))) {
      if (!sentence.isBlank()) {
        into.add(new Sentence(file.path(), line, sentence.strip()));
      }
    }
  }

  /** Code is a word, and what tags and links have beside their words is nothing. */
  private static String plain(String text) {
    return text.replaceAll("\\{@(?:code|link|linkplain|value|literal|snippet)\\s[^}]*}", " Code ")
        .replaceAll("\\{@[^}]*}", " ")
        .replaceAll("`[^`]*`", " Code ")
        .replaceAll("]\\([^)]*\\)", "]")
        .replaceAll("</?[a-zA-Z][^>]*>", " ")
        .replaceAll("&\\w+;", " ")
        .replaceAll("\\s+", " ")
        .strip();
  }
}
