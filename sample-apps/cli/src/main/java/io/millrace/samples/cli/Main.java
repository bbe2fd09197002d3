package io.millrace.samples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Console;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line {@code millrace}. Ends 0 when the whole command was done, 1 when a run failed, 2
 * when an argument or a setting is wrong; errors are one line on stderr.
 */
@Command(
    name = "millrace",
    versionProvider = Main.Version.class,
    description = "A transport for JVM clusters that burst.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "'millrace COMMAND --help' tells more about a command.",
      "For work on Millrace itself: 'check' runs the tests of changed packages, 'test' all tests",
      "of a commit, 'soak' the long tests, 'fuzz' a fuzz test. 'install' serves other builds,",
      "'format' formats sources."
    })
public final class Main extends CommandGroup {
  private static final String STACK_TRACE_PROPERTY = "millrace.stacktrace";

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version and exit.")
  @SuppressWarnings("UnusedVariable") // the parser of arguments acts on the option by itself
  private boolean version;

  private Main() {}

  /** The version in the manifest of this program's jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {
        "millrace " + (version == null ? "of a build without a version" : version),
        "java " + Runtime.version()
      };
    }
  }

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(run(List.of(args), System.out, System.err));
  }

  /**
   * Runs a command on the calling thread; an interrupt of the thread ends the command early.
   *
   * @return the exit code
   */
  public static int run(List<String> args, PrintStream out, PrintStream err) {
    boolean live = Objects.equals(err, System.err) && isTerminal();
    Screen screen = new Screen(out, err, live);
    String named = args.isEmpty() ? "" : args.getFirst();
    return commandLine(screen, named).execute(args.toArray(String[]::new));
  }

  static CommandLine commandLine(Screen screen) {
    return commandLine(screen, "");
  }

  /**
   * Builds the line with the named command alone, if this command exists: reading the annotations
   * of all commands takes time.
   */
  private static CommandLine commandLine(Screen screen, String named) {
    SequencedMap<String, Supplier<Object>> commands = commands(screen);
    CommandLine line = new CommandLine(new Main());
    commands.forEach(
        (name, command) -> {
          if (name.equals(named) || !commands.containsKey(named)) {
            line.addSubcommand(name, command.get());
          }
        });
    joinLines(line);
    return line.setUsageHelpAutoWidth(false)
        .setUsageHelpWidth(100)
        .setOut(new PrintWriter(screen.out(), true, UTF_8))
        .setErr(new PrintWriter(screen.err(), true, UTF_8))
        .setParameterExceptionHandler(
            (e, args) -> badArgument(screen, e.getCommandLine(), sentence(e)))
        .setExecutionExceptionHandler((e, command, _) -> failure(screen, e, command));
  }

  /** Descriptions are lines in the sources; the help has sentences, broken where its width ends. */
  private static void joinLines(CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    spec.usageMessage().description(firstAlone(sentences(spec.usageMessage().description())));
    for (OptionSpec option : List.copyOf(spec.options())) {
      String[] joined = sentences(option.description());
      if (joined.length < option.description().length) {
        spec.remove(option);
        spec.addOption(OptionSpec.builder(option).description(joined).build());
      }
    }
    line.getSubcommands().values().forEach(Main::joinLines);
  }

  /** A list of commands shows the first element of each description: one whole sentence. */
  private static String[] firstAlone(String[] lines) {
    if (lines.length == 0 || !lines[0].contains(". ")) {
      return lines;
    }
    List<String> all = new ArrayList<>(List.of(lines[0].split("(?<=\\.) ", 2)));
    all.addAll(List.of(lines).subList(1, lines.length));
    return all.toArray(String[]::new);
  }

  private static String[] sentences(String[] lines) {
    List<String> all = new ArrayList<>();
    for (String next : lines) {
      if (!all.isEmpty() && !all.getLast().endsWith(".")) {
        all.set(all.size() - 1, all.getLast() + " " + next);
      } else {
        all.add(next);
      }
    }
    return all.toArray(String[]::new);
  }

  private static SequencedMap<String, Supplier<Object>> commands(Screen screen) {
    SequencedMap<String, Supplier<Object>> commands = new LinkedHashMap<>();
    commands.put("demo", () -> new DemoCommand(screen));
    commands.put("info", () -> new InfoCommand(screen));
    commands.put("serve", () -> new ServeCommand(screen));
    commands.put("perf", () -> new PerfCommand(screen));
    commands.put("top", () -> new TopCommand(screen));
    commands.put("cp", () -> new CopyCommand(screen));
    commands.put("certs", () -> CertsCommand.commandLine(screen));
    commands.put("capture", () -> CaptureCommand.commandLine(screen));
    commands.put("store", () -> StoreCommand.commandLine(screen));
    commands.put("gossip", () -> GossipCommand.commandLine(screen));
    commands.put("sim", () -> new SimCommand(screen));
    commands.put("footprint", () -> new FootprintCommand(screen));
    commands.put("log", () -> LogCommand.commandLine(screen));
    commands.put("bench", () -> new BenchSubcommand(screen));
    return commands;
  }

  private static String sentence(ParameterException e) {
    CommandLine command = e.getCommandLine();
    if (e instanceof UnmatchedArgumentException unmatched && !command.getSubcommands().isEmpty()) {
      return "unknown command '"
          + unmatched.getUnmatched().getFirst()
          + "'; commands are: "
          + commands(command.getCommandSpec());
    }
    return Sentence.of(e);
  }

  private static int badArgument(Screen screen, CommandLine command, String sentence) {
    String name = command.getCommandSpec().qualifiedName();
    screen.err().println(name + ": " + sentence + "; see '" + name + " --help'");
    return ExitCode.BAD_ARGUMENT;
  }

  private static int failure(Screen screen, Exception e, CommandLine command) {
    String sentence = Sentence.of(e);
    screen.err().println(command.getCommandSpec().qualifiedName() + ": " + sentence);
    if (Boolean.getBoolean(STACK_TRACE_PROPERTY)) {
      e.printStackTrace(screen.err());
    }
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    int exitCode = Sentence.exitCode(e);
    if (exitCode == ExitCode.FAILED
        && command.getCommand() instanceof Subcommand subcommand
        && subcommand.isJson()) {
      JsonLine.print(screen.out(), subcommand.failureReport(sentence));
    }
    return exitCode;
  }

  private static boolean isTerminal() {
    return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
  }
}
