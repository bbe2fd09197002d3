package io.millrace.tree.javadoc;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.ReferenceTree;
import com.sun.source.doctree.ValueTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTreeScanner;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.lang.model.element.Modifier;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * Finds the comments that a user sees: those of public types and of their public and protected
 * members. The sources are parsed only, which takes a fraction of a second.
 */
final class VisibleJavadoc extends TreePathScanner<@Nullable Void, @Nullable Void> {
  /** Receives comments and the references in these comments. */
  interface Reader {
    /**
     * A visible comment.
     *
     * @param type the binary name of the type around the comment; a package for the comment of a
     *     package
     */
    void onComment(String type, String text);

    /**
     * A reference in a visible comment.
     *
     * @param imports the imported types, by their simple names
     */
    void onReference(String type, String signature, Map<String, String> imports);
  }

  private final DocTrees docs;
  private final Reader reader;
  private final Map<String, String> imports = new HashMap<>();
  private final Deque<ClassTree> types = new ArrayDeque<>();
  private String type = "";

  private VisibleJavadoc(DocTrees docs, Reader reader) {
    this.docs = docs;
    this.reader = reader;
  }

  /** Reads all comments of these sources. */
  static void read(Iterable<? extends JavaFileObject> sources, Reader reader) throws IOException {
    JavacTask task =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, _ -> {}, List.of("-proc:none"), null, sources);
    DocTrees docs = DocTrees.instance(task);
    for (CompilationUnitTree each : task.parse()) {
      new VisibleJavadoc(docs, reader).scan(each, null);
    }
  }

  @Override
  public @Nullable Void visitImport(ImportTree node, @Nullable Void nothing) {
    String name = node.getQualifiedIdentifier().toString();
    imports.put(name.substring(name.lastIndexOf('.') + 1), name);
    return null;
  }

  @Override
  public @Nullable Void visitPackage(PackageTree node, @Nullable Void nothing) {
    type = node.getPackageName().toString();
    if (getCurrentPath()
        .getCompilationUnit()
        .getSourceFile()
        .getName()
        .endsWith("package-info.java")) {
      // The imports of a package-info stand behind the comment.
      getCurrentPath().getCompilationUnit().getImports().forEach(each -> visitImport(each, null));
      comment();
    }
    return null;
  }

  @Override
  public @Nullable Void visitClass(ClassTree node, @Nullable Void nothing) {
    if (!isVisible(node.getModifiers())) {
      return null;
    }
    String outer = type;
    type += (types.isEmpty() ? "." : "$") + node.getSimpleName();
    types.push(node);
    comment();
    super.visitClass(node, null);
    types.pop();
    type = outer;
    return null;
  }

  @Override
  public @Nullable Void visitMethod(MethodTree node, @Nullable Void nothing) {
    if (isVisible(node.getModifiers())) {
      comment();
    }
    return null;
  }

  @Override
  public @Nullable Void visitVariable(VariableTree node, @Nullable Void nothing) {
    if (isVisible(node.getModifiers())) {
      comment();
    }
    return null;
  }

  private boolean isVisible(ModifiersTree modifiers) {
    ClassTree outer = types.peek();
    boolean isOfInterface =
        outer != null
            && (outer.getKind() == Tree.Kind.INTERFACE
                || outer.getKind() == Tree.Kind.ANNOTATION_TYPE)
            && !modifiers.getFlags().contains(Modifier.PRIVATE);
    return isOfInterface
        || modifiers.getFlags().contains(Modifier.PUBLIC)
        || modifiers.getFlags().contains(Modifier.PROTECTED);
  }

  private void comment() {
    TreePath path = getCurrentPath();
    DocCommentTree comment = docs.getDocCommentTree(path);
    if (comment != null) {
      reader.onComment(type, Objects.requireNonNullElse(docs.getDocComment(path), ""));
      List<String> found = new ArrayList<>();
      new References().scan(comment, found);
      found.forEach(signature -> reader.onReference(type, signature, imports));
    }
  }

  private static final class References extends DocTreeScanner<@Nullable Void, List<String>> {
    /** The value of a constant is shown, whoever may see the constant. */
    @Override
    public @Nullable Void visitValue(ValueTree node, List<String> found) {
      return null;
    }

    @Override
    public @Nullable Void visitReference(ReferenceTree node, List<String> found) {
      found.add(node.getSignature());
      return null;
    }
  }
}
