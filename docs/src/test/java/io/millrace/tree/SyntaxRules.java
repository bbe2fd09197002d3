package io.millrace.tree;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.Tree.Kind;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** The rules that need a parse of Java files: names of types and methods, and nesting. */
final class SyntaxRules {
  private static final int DEEPEST = 3;
  private static final Pattern EMPTY_SUFFIX = Pattern.compile(".*(Utils?|Helpers?|Managers?|Impl)");
  private static final Set<String> BARE_NAMES = Set.of("State", "Context", "Worker", "Shared");
  private static final Pattern GETTER = Pattern.compile("get[A-Z].*");
  private static final Pattern TEST_NAME = Pattern.compile("should[A-Z0-9].*");
  private static final Set<String> TEST_ANNOTATIONS =
      Set.of("Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate");

  private static final Set<Kind> NESTING =
      EnumSet.of(
          Kind.IF,
          Kind.FOR_LOOP,
          Kind.ENHANCED_FOR_LOOP,
          Kind.WHILE_LOOP,
          Kind.DO_WHILE_LOOP,
          Kind.SWITCH,
          Kind.TRY,
          Kind.SYNCHRONIZED);
  private static final Set<Kind> STARTING_ANEW =
      EnumSet.of(
          Kind.CLASS, Kind.RECORD, Kind.ENUM, Kind.INTERFACE, Kind.METHOD, Kind.LAMBDA_EXPRESSION);

  private static final List<String> PARSE_ONLY = List.of("-proc:none");
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
  // one manager for all files: each manager reads the modules of the JDK anew
  private static final JavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8);

  private SyntaxRules() {}

  /**
   * The findings of one parse in a file.
   *
   * @param names names that say nothing
   * @param nesting methods nested deeper than a reader follows
   */
  record Findings(List<String> names, List<String> nesting) {}

  /** Parses the Java files of the list, all in one task; findings by the path of the file. */
  static Map<String, Findings> check(List<SourceFile> files) {
    Map<String, SourceFile> byUri = new HashMap<>();
    List<InMemory> sources = new ArrayList<>();
    for (SourceFile file : files) {
      if (file.isJava()) {
        InMemory source = new InMemory(file);
        sources.add(source);
        byUri.put(source.toUri().toString(), file);
      }
    }
    if (sources.isEmpty()) {
      return Map.of();
    }
    JavacTask task =
        (JavacTask) COMPILER.getTask(null, FILES, problem -> {}, PARSE_ONLY, null, sources);
    Trees trees = Trees.instance(task);
    Map<String, Findings> findings = new HashMap<>();
    try {
      for (CompilationUnitTree unit : task.parse()) {
        SourceFile file =
            Objects.requireNonNull(byUri.get(unit.getSourceFile().toUri().toString()));
        NameScanner names = new NameScanner(file, trees);
        names.scan(unit, null);
        NestingScanner nesting = new NestingScanner(file, trees);
        nesting.scan(unit, null);
        findings.put(file.path(), new Findings(names.findings, nesting.findings));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return findings;
  }

  /** Names in one file that say nothing; nothing for files that are not Java. */
  static List<String> names(SourceFile file) {
    return check(List.of(file)).values().stream().flatMap(all -> all.names().stream()).toList();
  }

  /** Methods of one file nested deeper than a reader follows. */
  static List<String> nesting(SourceFile file) {
    return check(List.of(file)).values().stream().flatMap(all -> all.nesting().stream()).toList();
  }

  private abstract static class FindingScanner
      extends TreePathScanner<@Nullable Void, @Nullable Void> {
    final List<String> findings = new ArrayList<>();
    final SourceFile file;
    private final Trees trees;

    FindingScanner(SourceFile file, Trees trees) {
      this.file = file;
      this.trees = trees;
    }

    void report(Tree tree, String complaint) {
      long start =
          trees.getSourcePositions().getStartPosition(getCurrentPath().getCompilationUnit(), tree);
      findings.add(file.finding((int) Math.max(0, start), complaint));
    }
  }

  private static final class NameScanner extends FindingScanner {
    NameScanner(SourceFile file, Trees trees) {
      super(file, trees);
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
      String name = type.getSimpleName().toString();
      boolean isTopLevel =
          getCurrentPath().getParentPath().getLeaf() instanceof CompilationUnitTree;
      if (EMPTY_SUFFIX.matcher(name).matches() || (isTopLevel && BARE_NAMES.contains(name))) {
        report(type, "the name " + name + " does not say what the type decides");
      }
      return super.visitClass(type, null);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
      String name = method.getName().toString();
      List<String> annotations =
          method.getModifiers().getAnnotations().stream().map(NameScanner::simpleName).toList();
      if (file.isMainJava()
          && GETTER.matcher(name).matches()
          && method.getParameters().isEmpty()
          && !annotations.contains("Override")) {
        report(method, "accessors go without get: " + name);
      }
      if (annotations.stream().anyMatch(TEST_ANNOTATIONS::contains)
          && !TEST_NAME.matcher(name).matches()) {
        report(method, "a test is named for what should happen: " + name);
      }
      return super.visitMethod(method, null);
    }

    private static String simpleName(AnnotationTree annotation) {
      String name = annotation.getAnnotationType().toString();
      return name.substring(name.lastIndexOf('.') + 1);
    }
  }

  private static final class NestingScanner extends FindingScanner {
    private int depth;

    NestingScanner(SourceFile file, Trees trees) {
      super(file, trees);
    }

    @Override
    public @Nullable Void scan(@Nullable Tree tree, @Nullable Void unused) {
      if (tree == null) {
        return null;
      }
      int before = depth;
      if (STARTING_ANEW.contains(tree.getKind())) {
        depth = 0;
      } else if (NESTING.contains(tree.getKind()) && !isElseIf(tree)) {
        depth++;
        if (depth == DEEPEST + 1) {
          report(tree, "nested deeper than " + DEEPEST);
        }
      }
      super.scan(tree, null);
      depth = before;
      return null;
    }

    private boolean isElseIf(Tree tree) {
      return getCurrentPath().getLeaf() instanceof IfTree outer && outer.getElseStatement() == tree;
    }
  }

  private static final class InMemory extends SimpleJavaFileObject {
    private final String text;

    InMemory(SourceFile file) {
      super(URI.create("tree:///" + file.path()), JavaFileObject.Kind.SOURCE);
      this.text = file.text();
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
