package io.millrace.samples.cli;

import com.typesafe.config.ConfigFactory;
import io.millrace.api.Peer;
import io.millrace.api.Transport;
import io.millrace.samples.log.node.ReplicaStatus;
import io.millrace.samples.peers.PeerBook;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the state of a log's replicas. */
@Command(
    name = "status",
    description = {
      "Shows the leader, each replica's view of the cluster's members, and its last applied slot.",
      "Ends 1 if no replica leads."
    })
final class LogStatusCommand extends LogCommand.Client {
  @Option(
      names = "--members",
      required = true,
      paramLabel = "HOST:PORT,...",
      description = "Handshake addresses of all replicas.")
  private String memberList = "";

  LogStatusCommand(Screen screen) {
    super(screen);
  }

  /**
   * The answer of a replica.
   *
   * @param status the state, or null without an answer
   * @param failure the reason for a missing answer, or for taking no part; empty if all is well
   */
  private record Asked(
      int replica, String address, @Nullable ReplicaStatus status, String failure) {
    boolean isLeading() {
      return status != null && status.isLeading();
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    List<String> members = LocalAddress.list("--members", List.of(memberList.split(",", -1)));
    ActorSystem<Void> system = actorSystem(LogCommand.SYSTEM, ConfigFactory.load());
    List<Asked> all;
    try (Transport transport = transport(members, system)) {
      all = ask(new PeerBook(transport, members), members);
    } finally {
      system.terminate();
    }
    if (isJson()) {
      JsonLine.print(screen().out(), json(all));
    } else {
      print(all);
    }
    return all.stream().anyMatch(Asked::isLeading) ? ExitCode.DONE : ExitCode.FAILED;
  }

  private static List<Asked> ask(PeerBook peers, List<String> members) throws InterruptedException {
    List<Optional<CompletableFuture<ReplicaStatus>>> calls = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      Optional<Peer> peer = peers.peer(i);
      calls.add(peer.map(ReplicaStatus::ask));
    }
    List<Asked> all = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      all.add(
          calls.get(i).isPresent()
              ? asked(i, members.get(i), calls.get(i).get())
              : new Asked(i, members.get(i), null, "its host is unknown"));
    }
    return all;
  }

  private static Asked asked(int replica, String address, CompletableFuture<ReplicaStatus> call)
      throws InterruptedException {
    try {
      ReplicaStatus status = call.get();
      return new Asked(replica, address, status, status.trouble());
    } catch (ExecutionException e) {
      return new Asked(replica, address, null, Sentence.of(e));
    }
  }

  private void print(List<Asked> all) {
    TextTable table = new TextTable().row("replica", "address", "role", "members", "through", "");
    for (Asked each : all) {
      ReplicaStatus status = each.status();
      if (status == null) {
        table.row(each.replica(), each.address(), "?", "?", "?", each.failure());
      } else {
        table.row(
            each.replica(),
            each.address(),
            role(status),
            numbers(status.members()),
            status.chosenThrough(),
            each.failure());
      }
    }
    table.print(screen().out());
    if (all.stream().noneMatch(Asked::isLeading)) {
      screen().out().println("no replica leads");
    }
  }

  private static String role(ReplicaStatus status) {
    return status.isLeading() || status.leader() < 0
        ? status.role()
        : status.role() + " (" + status.leader() + " is to lead)";
  }

  private static String numbers(List<Integer> members) {
    return members.isEmpty()
        ? "-"
        : members.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static Map<String, Object> json(List<Asked> all) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("leaders", all.stream().filter(Asked::isLeading).map(Asked::replica).toList());
    report.put("replicas", all.stream().map(LogStatusCommand::json).toList());
    return report;
  }

  private static Map<String, Object> json(Asked asked) {
    Map<String, Object> row = new LinkedHashMap<>();
    ReplicaStatus status = asked.status();
    row.put("replica", asked.replica());
    row.put("address", asked.address());
    row.put("answers", status != null);
    if (status != null) {
      row.put("role", status.role());
      row.put("leader", status.leader());
      row.put("members", status.members());
      row.put("chosen_through", status.chosenThrough());
    }
    if (!asked.failure().isEmpty()) {
      row.put("trouble", asked.failure());
    }
    return row;
  }
}
