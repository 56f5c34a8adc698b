; Three companies that make a part together and tell each other little.
;
; Lines that begin with a semicolon are comments. Try it as it is: `tacit solve .` in this folder.
; Then make it yours: rename, add and remove what you like, and run `tacit solve .` again. A mistake
; is reported with its line and column.
(define (domain workshop)
  (:requirements :typing :multi-agent :unfactored-privacy)

  ; What kinds of things there are. An agent is an object, too: here it is a company.
  (:types
    company part gate furnace machine truck - object
    foundry mill haulier - company)

  ; Public facts are known to all: which part lies at which gate, and what is finished. Facts in
  ; (:private …) belong to the company that is their first argument. No other company learns them.
  (:predicates
    (at-gate ?part - part ?gate - gate)
    (finished ?part - part)
    (:private ?foundry - foundry
      (hot ?foundry - foundry ?furnace - furnace)
      (ordered ?foundry - foundry ?part - part)
      (moulded ?foundry - foundry ?part - part)
      (own-gate ?foundry - foundry ?gate - gate))
    (:private ?mill - mill
      (idle ?mill - mill ?machine - machine)
      (clamped ?mill - mill ?part - part ?machine - machine)
      (milled ?mill - mill ?part - part)
      (door ?mill - mill ?gate - gate))
    (:private ?haulier - haulier
      (parked ?haulier - haulier ?truck - truck ?gate - gate)
      (aboard ?haulier - haulier ?part - part ?truck - truck)))

  ; An action is public if it changes a public fact, as `cast` does. Others see that it does so, not
  ; its name, and not that it needs a hot furnace. `heat` changes nothing public: nobody sees it.
  (:action heat
    :agent ?foundry - foundry
    :parameters (?furnace - furnace)
    :precondition ()
    :effect (hot ?foundry ?furnace))

  (:action make-mould
    :agent ?foundry - foundry
    :parameters (?part - part)
    :precondition (ordered ?foundry ?part)
    :effect (and (moulded ?foundry ?part) (not (ordered ?foundry ?part))))

  (:action cast
    :agent ?foundry - foundry
    :parameters (?part - part ?furnace - furnace ?gate - gate)
    :precondition (and (hot ?foundry ?furnace) (moulded ?foundry ?part) (own-gate ?foundry ?gate))
    :effect (and (at-gate ?part ?gate)
      (not (hot ?foundry ?furnace)) (not (moulded ?foundry ?part))))

  ; The mill takes a part in, works on it, and brings it out. That `take-in` makes `bring-out`
  ; possible is a private dependency: this is what Tacit discloses only if a plan needs it.
  (:action take-in
    :agent ?mill - mill
    :parameters (?part - part ?machine - machine ?gate - gate)
    :precondition (and (at-gate ?part ?gate) (door ?mill ?gate) (idle ?mill ?machine))
    :effect (and (clamped ?mill ?part ?machine)
      (not (at-gate ?part ?gate)) (not (idle ?mill ?machine))))

  (:action work
    :agent ?mill - mill
    :parameters (?part - part ?machine - machine)
    :precondition (clamped ?mill ?part ?machine)
    :effect (milled ?mill ?part))

  (:action bring-out
    :agent ?mill - mill
    :parameters (?part - part ?machine - machine)
    :precondition (and (clamped ?mill ?part ?machine) (milled ?mill ?part))
    :effect (and (finished ?part) (idle ?mill ?machine)
      (not (clamped ?mill ?part ?machine))))

  (:action load
    :agent ?haulier - haulier
    :parameters (?part - part ?truck - truck ?gate - gate)
    :precondition (and (at-gate ?part ?gate) (parked ?haulier ?truck ?gate))
    :effect (and (aboard ?haulier ?part ?truck) (not (at-gate ?part ?gate))))

  (:action drive
    :agent ?haulier - haulier
    :parameters (?truck - truck ?from - gate ?to - gate)
    :precondition (parked ?haulier ?truck ?from)
    :effect (and (parked ?haulier ?truck ?to) (not (parked ?haulier ?truck ?from))))

  (:action unload
    :agent ?haulier - haulier
    :parameters (?part - part ?truck - truck ?gate - gate)
    :precondition (and (aboard ?haulier ?part ?truck) (parked ?haulier ?truck ?gate))
    :effect (and (at-gate ?part ?gate) (not (aboard ?haulier ?part ?truck)))))
